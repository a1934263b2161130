import {
  assert as assertAll,
  type IAsyncProperty,
  type IAsyncPropertyWithHooks,
  type IProperty,
  type IPropertyWithHooks,
  type Parameters,
} from 'fast-check';
import { shareOf } from './share.ts';

export * from 'fast-check';

/** As many cases as the property asks for, or its share where they are many. */
const shared = <Ts>(parameters: Parameters<Ts>): Parameters<Ts> => ({
  ...parameters,
  numRuns: shareOf(parameters.numRuns ?? 100),
});

/** Runs a property on a share of the cases that it asks for. */
export function assert<Ts>(
  property: IAsyncProperty<Ts> | IAsyncPropertyWithHooks<Ts>,
  parameters?: Parameters<Ts>,
): Promise<void>;
export function assert<Ts>(property: IProperty<Ts> | IPropertyWithHooks<Ts>, parameters?: Parameters<Ts>): void;
export function assert<Ts>(
  property: IProperty<Ts> | IAsyncProperty<Ts>,
  parameters: Parameters<Ts> = {},
): Promise<void> | undefined {
  // What is returned for a property that is not asynchronous is undefined.
  return assertAll(property as IAsyncProperty<Ts>, shared(parameters));
}
