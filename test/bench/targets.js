/** What each target is compared with; work in seconds. */
const MEASURES = {
  whole: { text: (target) => `${target} x node`, of: ({ whole }) => whole.ratio },
  work: {
    text: (target) => `work ${target < 1 ? `${target * 1000} ms` : `${target} s`}`,
    of: ({ work }) => work.first / 1000,
    warm: ({ work }) => work.warm / 1000,
  },
  width: { text: (target) => `width ${target.toExponential()}`, of: ({ work }) => work.width ?? Infinity },
  memory: { text: (target) => `${target} MB`, of: ({ memory }) => memory },
};

/** Whether a measured case meets its targets: `work 20 ms: met`. Work is judged by the first, cold call. */
export function verdicts(measured) {
  return Object.entries(measured.targets).map(([kind, target]) => {
    const { text, of, warm } = MEASURES[kind];
    const met = of(measured) <= target;
    const onlyWarm = !met && warm !== undefined && warm(measured) <= target;
    return { text: text(target), verdict: met ? 'met' : onlyWarm ? 'met when warm' : 'NOT met' };
  });
}
