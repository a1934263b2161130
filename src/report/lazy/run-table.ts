import { besideRun } from '../../lazy/alternatives/all.ts';
import { isWithoutY, transitions } from '../../lazy/core/setting.ts';
import { chanceBeyond, regretOfRun } from '../../lazy/run/run-guarantee.ts';
import type { RunState } from '../../lazy/run/run-state.ts';
import type { Layout } from '../kit/columns.ts';
import { pageText, paragraph } from '../kit/page.ts';
import { counted, grouped } from '../kit/prose.ts';
import { expertText } from './answer-line.ts';
import { lazyHeading } from './kit/heading.ts';
import { leastText, mostText } from './kit/number.ts';
import { settingText } from './kit/setting-text.ts';

function guaranteeText({ header: { epsilon, delta }, simulated }: RunState): string {
  const budget = `(${epsilon.toString()}, ${delta.toString()})-differentially private`;
  return simulated === null
    ? `All experts that it names, and when they were sampled anew, are together ${budget} for replacing the losses of one round.`
    : `This is a simulation, whose random numbers come from a seed: it is not private. With random numbers of the system it would be ${budget}.`;
}

function progressText({ header: { setting, names }, progress }: RunState): string {
  if (progress === null) return 'Its ledger has not granted it yet: nothing was drawn.';
  const [round, rounds] = [grouped(progress.round), grouped(setting.rounds)];
  if (progress.round > setting.rounds) return `It is over, after ${counted(setting.rounds, 'round')}.`;
  return `Round ${round} of ${rounds} is next, and is for expert ${expertText(progress.x, names)}.`;
}

function samplesText({ header: { setting, cap }, progress }: RunState): string | null {
  if (progress === null) return null;
  const most = cap === null ? '' : `, which may happen ${counted(cap, 'time')} at most`;
  const always = cap === 0 ? ' The expert of the first round is that of every round, whatever the losses are.' : '';
  return `${isWithoutY(setting) ? 'An expert was' : 'x and y were'} sampled anew ${counted(progress.resampled, 'time')}${most}.${always}`;
}

/** How likely the cap is to be reached, and what follows. */
function capText({ header: { setting, cap } }: RunState): string | null {
  if (cap === null) return null;
  const { lower, upper } = chanceBeyond(setting, cap);
  const least = lower > 0 ? `at least ${leastText(lower)} and ` : '';
  return `It asks for more new samples than its cap allows with a chance of ${least}at most ${mostText(upper)}; from then on it keeps its expert, whatever the losses are.`;
}

/** Where guessing, or a learner that is as private, has a smaller proved regret. */
function besideText({ header }: RunState): string | null {
  const { setting, experts, cap } = header;
  if (transitions(setting) === 0)
    return 'It plays one expert, drawn uniformly, in all rounds: it learns nothing and reads no losses.';
  const regret = regretOfRun(setting, experts, cap);
  const { guessing, instead } = besideRun(header, regret);
  if (instead !== null)
    return `A learner that "lazy run" cannot play has a smaller proved regret with the same privacy: ${instead.id}, at most ${mostText(instead.regret)} ("lazy plan").`;
  return regret < guessing
    ? null
    : `Drawing one expert uniformly, which reads no losses, has at most ${mostText(guessing)}: this run is not proved to be better.`;
}

/** The bound on the regret, with the cap and without it. */
function regretText({ header: { setting, experts, cap } }: RunState): string {
  const most = mostText(regretOfRun(setting, experts, cap));
  const free = cap === null ? '' : `, without its cap at most ${mostText(regretOfRun(setting, experts))}`;
  return `Its expected regret is at most ${most} for losses that are fixed in advance${free}.`;
}

const paidText = ({ header: { ledger }, progress }: RunState): string | null =>
  ledger &&
  `It is ${progress === null ? 'to be ' : ''}paid by the ledger ${ledger.name}${ledger.store === null ? '' : ` in ${ledger.store}`}.`;

/** A run for a person: how far it is, and what is certain of it; nothing of what experts have lost. */
export function lazyRunTable(run: RunState, layout: Layout): string {
  const { setting, experts } = run.header;
  return pageText(
    [
      lazyHeading(`${settingText(setting, { type: 'multiplicative-weights' })}, ${grouped(experts)} experts`),
      paragraph([progressText(run), samplesText(run), paidText(run)].filter((text) => text !== null).join(' ')),
      paragraph(guaranteeText(run)),
      paragraph([capText(run), regretText(run), besideText(run)].filter((text) => text !== null).join(' ')),
    ],
    layout,
  );
}
