import type { Measure } from '../../../lazy/core/measure.ts';
import { isWithoutY, type L2pSetting } from '../../../lazy/core/setting.ts';
import { probabilityText, parameterText } from './number.ts';
import { grouped } from '../../kit/prose.ts';

/** The measure from which L2P samples, in words. */
export function measureText(measure: Measure): string {
  switch (measure.type) {
    case 'multiplicative-weights':
      return 'multiplicative weights';
    case 'any':
      return 'any measure of Assumption 3.1';
    case 'regularised-multiplicative-weights': {
      const { beta, lambda, lipschitz, diameter } = measure;
      const size =
        lipschitz.eq(1) && diameter.eq(1) ? '' : `, L ${parameterText(lipschitz)}, D ${parameterText(diameter)}`;
      return `regularised weights with beta ${parameterText(beta)}, lambda ${parameterText(lambda)}${size}`;
    }
  }
}

/** `L2P with multiplicative weights: T 1,000,000, B 10, eta 1e-4, p 0.01`, or `L2P without y ... c 0.002`. */
export function settingText(setting: L2pSetting, measure: Measure): string {
  const { rounds, batch, eta } = setting;
  const parameters = [
    `T ${grouped(rounds)}`,
    `B ${grouped(batch)}`,
    `eta ${parameterText(eta)}`,
    isWithoutY(setting) ? `c ${parameterText(setting.switchRate)}` : `p ${probabilityText(setting.fakeSwitch)}`,
  ];
  return `L2P ${isWithoutY(setting) ? 'without y, ' : ''}with ${measureText(measure)}: ${parameters.join(', ')}`;
}
