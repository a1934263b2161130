import type { Inapplicability, MechanismType } from '../../bounds/core/bound.ts';
import { listed } from './prose.ts';

/** A type as it is written; mechanisms on samples have none of their own. */
const typeText = (type: MechanismType): string => (type === 'sampled' ? 'one on samples' : type);

/** Why a theorem does not cover a composition, in words that follow its name. */
export function inapplicabilityMessage(reason: Inapplicability): string {
  switch (reason.code) {
    case 'needs-types': {
      const others = reason.found.filter((type) => !reason.needs.includes(type));
      const found = (others.length > 0 ? others : reason.found).map(typeText);
      return `holds for ${listed(reason.needs, 'or')} mechanisms only; here there is ${listed(found)}`;
    }
    case 'needs-noninteractive': {
      const others = reason.kinds.filter((kind) => kind !== 'noninteractive');
      return `holds for noninteractive mechanisms only; here there are ${listed(others)} ones`;
    }
    case 'is-dp-optimal':
      return 'adds nothing to dp-optimal where no noise of a known distribution and no finite pair is composed';
    case 'is-exact-otherwise':
      return `is for mechanisms chosen along the way; fixed in advance, ${reason.bound} is exact`;
    case 'too-large':
      return `is only computed for at most ${reason.limit}`;
    case 'needs-nonadaptive':
      return 'holds when every mechanism is fixed in advance; say --nonadaptive if that is so';
    case 'needs-mixture':
      return 'joins bounded-range mechanisms to others; here there is only one of the two';
    case 'no-sampling-theorem':
      return 'has no theorem for one of the ways in which samples are drawn';
    case 'needless':
      return `is not computed where ${reason.bound} is exact`;
    case 'interrupted':
      return 'was not finished in time (--max-seconds)';
  }
}
