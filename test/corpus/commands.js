// The command lines of the corpus: every help text, every command in every format, and many documents.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './documents.js';

const ROOT = join(import.meta.dirname, '../..');

const NESTED = {
  ledger:
    'init spend check status nest convert reserve commit release record annotate verify export recover adopt store move anchor',
  lazy: 'audit plan rates switches',
  attack: 'parallel renyi oblivious',
};
const COMMANDS =
  'compose solve sgd diff compare batch gap check risk audit statement curve figure ledger plan design attack lazy theorems explain validate convert schema self-test page complete';

const FORMATS = {
  compose: 'table json',
  solve: 'table json',
  sgd: 'table json csv',
  diff: 'table json markdown',
  compare: 'table json csv markdown svg plot',
  gap: 'table json csv',
  check: 'text json github junit sarif markdown',
  risk: 'table json csv markdown',
  audit: 'table json csv markdown',
  statement: 'text json markdown',
  curve: 'table json csv svg plot',
  figure: 'plot json csv svg',
  plan: 'tree json markdown',
  design: 'table json markdown',
  theorems: 'table json markdown',
  explain: 'table json markdown',
  validate: 'text json',
  convert: 'json yaml csv dp-accounting',
  'lazy plan': 'table json',
  'lazy audit': 'table json',
  'lazy rates': 'table json csv',
  'lazy switches': 'table json',
  'attack parallel': 'table json',
  'attack renyi': 'table json',
  'attack oblivious': 'table json',
};

const LINES = `
compose -m dp:epsilon=0.1,count=100 --delta 1e-6
compose -m dp:epsilon=0.1,count=100 --delta 1e-6 --all
compose -m exponential:epsilon=0.1,count=30 --delta 1e-6
compose -m exponential:epsilon=0.1,count=30 --nonadaptive --delta 1e-6 --all
compose -m laplace:scale=10,count=30 -m gaussian:sigma=20 --delta 1e-6 --precision 30
compose -m randomized-response:epsilon=1,categories=2 --delta 1e-6 --certificate /dev/null
compose -m subsampled-gaussian:sigma=1 --delta 1e-6
compose -m dp:epsilon=much --delta 1e-6
compose -m zcdp:rho=0.1,count=5 -m rdp:alpha=8,epsilon=0.2 --delta 1e-8
solve -m dp:epsilon=0.1 --find count --epsilon 1 --delta 1e-6
solve -m gaussian:sigma=1,count=30 --find sigma --epsilon 2 --delta 1e-6
solve fixtures/dashboard.json --find parameter --epsilon 1
sgd --examples 60000 --batch 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5 --scheme poisson
sgd --examples 60000 --batch 256 --epochs 60 --target-epsilon 2 --delta 1e-5 --scheme poisson
sgd --examples 60000 --batch 256 --noise-multiplier 1.1 --target-epsilon 2 --delta 1e-5 --scheme poisson
sgd --examples 60000 --batch 256 --steps 235 --noise-multiplier 4 --delta 1e-5 --scheme without-replacement
sgd --examples 60000 --batch 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5 --scheme shuffled
sgd --examples 60000 --batch 250 --epochs 10 --noise-multiplier 1.1 --delta 1e-5 --scheme random-allocation
sgd --examples 1000 --batch 100 --epochs 4 --noise-multiplier 1.1 --delta 1e-5 --compare-schemes
sgd --examples 256 --batch 60000
compose -m gaussian:sigma=1.1,sampling=poisson,rate=0.01,count=1000 --delta 1e-6 --all
compose -m gaussian:sigma=1.1,sampling=poisson,rate=0.01,count=3 --delta 1e-6 --json
compose -m laplace:scale=0.5,sampling=poisson,rate=0.2,count=3 --delta 0
compose -m dp:epsilon=1,sampling=without-replacement,rate=0.1,count=100 --delta 1e-6
compose -m gaussian:sigma=0.4,sampling=shuffled,rate=1e-4,count=10000 --epsilon 4
compose -m gaussian:sigma=1,sampling=poisson,rate=adaptive --delta 1e-6
compose -m gaussian:sigma=1,sampling=poisson --delta 1e-6
compose -m gaussian:variance=2.25,count=10 --delta 1e-6
risk -m gaussian:sigma=1
risk -m dp:epsilon=1 -m dp:epsilon=2 --prior 0.5,0.01 --fpr 0.1:0.001 --baseline 0.1,0.3
risk -m zcdp:rho=0.5 --divergence tv --gaussian
risk -m exponential:epsilon=0.1,count=5 --fpr 0,1
audit --scores fixtures/scores.csv --method thresholds --ranks 1,10 --delta 1e-5
audit -m gaussian:sigma=2 --scores fixtures/scores.csv --method thresholds --split --delta 1e-5
audit --method one-run --canaries 1000 --guesses 100 --correct 75 --delta 1e-4
gap --each 0.1 --count 10:50:10 --delta 1e-6
gap --each 0.1 --count 30 --epsilon 0:3:0.5
gap --each 0.05,0.1 --count 30 --delta 1e-6
curve -m dp:epsilon=0.1 --count 1:1000/20log --delta 1e-6
curve fixtures/dashboard.json --times 1:6 --delta 1e-6
curve -m dp:epsilon=0.1,count=100 --epsilon 0:8/20 --bounds dp-optimal,rdp,advanced-drv
curve -m laplace:scale=9,count=20 --delta 1e-2:1e-12
curve --of tradeoff fixtures/noise.json fixtures/dashboard.json
curve --of tradeoff -m dp:epsilon=0.1,count=100 --bounds dp-optimal,rdp --x-axis log --y-axis log
curve --of profile fixtures/noise.json fixtures/dashboard.json
compare fixtures/noise.json fixtures/dashboard.json
diff fixtures/dashboard.json fixtures/noise.json --delta 1e-6
diff fixtures/dashboard.json --set mechanisms[0].count=50 --set mechanisms[2]=null
check fixtures/dashboard.json --epsilon 4.5 --delta 1e-6
check fixtures/dashboard.json fixtures/mixed.json fixtures/adaptive-parameters.json --epsilon 8
check --policy fixtures/policies/privacy-policy.json
check fixtures/dashboard.json fixtures/noise.json --together --epsilon 3 --delta 1e-6
statement fixtures/dashboard.json
statement fixtures/dashboard.json --delta 1e-6 --distance 5
figure
figure bounded-range-1
figure bounded-range-2
figure lazy-rates
figure lazy-plans --format csv
plan fixtures/live-dashboard.json --delta 1e-6
plan fixtures/endless-alarms.json
plan fixtures/dashboard.json --epsilon 1
design --example histogram --total-epsilon 1 --counter-delta 1e-6
design --example histogram --dimension 64 --delta 1e-6
design --example core-decomposition --total-epsilon 1
theorems
theorems --mechanisms
explain br-adaptive
explain parallel-delta-cap
explain zcdp-optimal
explain insufficient-budget
validate fixtures/every-type.json
validate fixtures/infeasible.json
convert fixtures/events.json
convert fixtures/mechanisms.csv
convert fixtures/every-type.json
convert fixtures/adaptive-clipping.py
lazy plan ope --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8
lazy plan oco --rounds 1e6 --dimension 10 --epsilon 1 --delta 1e-6
lazy audit --setting theorem-3.10-proof --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8
lazy audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0.01 --delta1 1e-12
lazy rates --figure c
lazy rates ope --rounds 1e6 --experts 1000 --epsilon 0.01,0.1,1
lazy rates --lower-bound --rounds 1e6 --experts 10 --epsilon 0.1
lazy switches --rounds 1e6 --batch 10 --eta 6.68e-5 --p 6.68e-3
attack parallel --delta 0.1 --instances 3
attack parallel --delta 1e-9 --instances 1e9
attack renyi --alpha 2 --epsilon 1 --target 10
attack oblivious --delta 0.1
`;

const words = (line) => line.trim().split(/\s+/);

/** Every line in each of its formats. */
function formatted() {
  return LINES.trim()
    .split('\n')
    .flatMap((line) => {
      const formats = FORMATS[words(line).slice(0, 2).join(' ')] ?? FORMATS[words(line)[0]];
      return formats
        .split(' ')
        .map((format) => ({ name: `${line} --format ${format}`, words: [...words(line), '--format', format] }));
    });
}

/** The help of every command. */
function helps() {
  const lines = COMMANDS.split(' ').flatMap((command) => [
    [command],
    ...(NESTED[command]?.split(' ') ?? []).map((nested) => [command, nested]),
  ]);
  return [['--help'], ...lines.map((line) => [...line, '--help'])].map((line) => ({
    name: line.join(' '),
    words: line,
  }));
}

/** The schemas and the completions. */
const printed = () =>
  [
    'schema',
    'schema compose',
    'schema spec',
    'schema ledger',
    'complete bash',
    'complete zsh',
    'complete fish',
    'complete powershell',
  ].map((line) => ({ name: line, words: words(line) }));

/** Every command without anything, and with options that mean nothing. */
function mistaken() {
  const commands = [
    ...COMMANDS.split(' ').filter((command) => !(command in NESTED)),
    ...Object.entries(NESTED).flatMap(([command, nested]) => nested.split(' ').map((each) => `${command} ${each}`)),
  ];
  const added = ['', '--json', '--format nonsense --json --tolerance much --delta 2 --epsilon -1 --find x'];
  return commands.flatMap((command) =>
    added.map((more) => ({ name: `${command} ${more}`.trim(), words: words(`${command} ${more}`) })),
  );
}

/** What ledgers say of themselves. */
function ledgers() {
  const commands = 'status,status --at-delta 1e-9,status --next dp,verify --replay,export,verify'.split(',');
  const asked = ['check', '-m', 'dp:epsilon=0.3', '-m', 'exponential:epsilon=0.1'];
  return readdirSync(join(ROOT, 'fixtures/ledgers')).flatMap((name) => {
    const file = join('fixtures/ledgers', name);
    return ['', '--json'].flatMap((form) =>
      [...commands.map(words), asked].map(([command, ...more]) => {
        const line = ['ledger', command, file, ...more, ...(form === '' ? [] : [form])];
        return { name: line.join(' '), words: line };
      }),
    );
  });
}

/** Every document of the fixtures, and every one that is made up, through the commands that read documents. */
function read() {
  const fixtures = ['', 'designs', 'policies'].flatMap((folder) =>
    readdirSync(join(ROOT, 'fixtures', folder))
      .filter((file) => /\.(json|csv)$/.test(file))
      .map((file) => join('fixtures', folder, file)),
  );
  const commands = ['compose', 'compose --json', 'validate --json', 'plan'];
  return [
    ...fixtures.flatMap((file) => commands.map((line) => ({ name: `${line} ${file}`, words: [...words(line), file] }))),
    ...documents(200).flatMap((document, index) =>
      [commands[index % 2], 'statement', commands[2 + (index % 2)]].map((line) => ({
        name: `${line} document ${String(index)}`,
        words: words(line),
        input: JSON.stringify(document),
      })),
    ),
  ];
}

/** All of the corpus: a name, the words, and what stands on standard input. */
export const commandLines = () => [...helps(), ...printed(), ...formatted(), ...mistaken(), ...ledgers(), ...read()];
