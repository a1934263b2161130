import type { Bracket } from '../../numeric/enclosure.ts';
import { isEntry, withDescendants, type PlanNode } from '../../composition/core/plan-node.ts';
import { printable } from '../kit/prose.ts';
import { neighboursText } from '../kit/neighbours.ts';
import { upperText } from '../kit/number.ts';
import { blankYaml, type Blank, type RecordValue } from './blank-yaml.ts';
import { privacySections, type Section } from './privacy-statement.ts';
import type { PrivacyStatement } from './stated.ts';

const blank = (what: string): Blank => ({ blank: what });

/** An upper end in ten digits, rounded up. */
function claimed(bracket: Bracket, none: string): RecordValue {
  return bracket.upper === Infinity ? blank(none) : Number(upperText(bracket));
}

const ends = ({ lower, upper }: Bracket): RecordValue => ({
  lower: lower ?? blank('no lower end is known'),
  upper,
});

/** Paragraphs and items of a section, one below the other. */
const textOf = (sections: readonly Section[], ids: readonly Section['id'][]): string =>
  sections
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ title, paragraphs, items }) => [
      ...paragraphs,
      ...(items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${item}`)]),
    ])
    .map(printable)
    .join('\n');

/** Central or local as far as the structure says that: users who run mechanisms of their own, and nothing else. */
const modelOf = (nodes: readonly PlanNode[]): RecordValue =>
  nodes.every((node) => !isEntry(node) && node.node === 'local')
    ? 'Local'
    : blank('Central, Local, Shuffle or Federated: who is trusted with the data');

/** The fields of a registry of deployments. */
function deployment(
  { stated: { answer }, specification }: PrivacyStatement,
  sections: readonly Section[],
): RecordValue {
  const { name, neighbours, entries: nodes } = specification;
  const isDynamic = nodes.flatMap(withDescendants).some((node) => isEntry(node) && node.kind === 'continual');
  return {
    basic: {
      name: name === null ? blank('the name of what is published') : printable(name),
      data_curators: blank('a list of data_curator_name and data_curator_type: who publishes it'),
      description: blank('what is published'),
      intended_use: blank('for what'),
      data_product_type: blank('such as Summary statistics, Machine learning model or Synthetic data'),
      data_product_region: blank('where the data are from'),
      data_product_sector: blank('such as Healthcare, Government or Technology'),
      publication_date: blank("'YYYY-MM-DD', of the first publication"),
    },
    dp_variant: {
      variant_name: answer.delta.upper === 0 ? 'Pure DP' : 'Approximate DP',
      data_domain: blank('all data sets that are protected: their schema, and who can be in them'),
      unprotected_quantities: blank('what is published exactly, without noise; none if nothing is'),
    },
    privacy_loss: {
      privacy_unit: blank('whose or what change is protected: a person, a household, a device, a person on one day'),
      privacy_unit_details:
        neighbours === null
          ? blank('which data sets are neighbouring: add-remove, replace-one, or in words')
          : neighboursText(neighbours),
      number_of_privacy_units: blank('how many units neighbouring data sets differ in'),
      privacy_parameters: {
        epsilon: claimed(answer.epsilon, 'no finite epsilon is known at this delta'),
        delta: claimed(answer.delta, 'none is known'),
      },
      privacy_parameters_details: textOf(sections, ['guarantee', 'meaning', 'group']),
    },
    deployment_model: {
      model_name: modelOf(nodes),
      trust_assumptions: textOf(sections, ['against', 'assumptions']),
      actors: blank('who collects the data, who computes, who sees the results'),
      release_type: blank('Single release or Many releases'),
      release_type_details: blank('when the next one is due, and how the loss over time is limited'),
      data_source_type: isDynamic ? 'Dynamic' : blank('Static or Dynamic'),
      access_type: blank('Interactive or Non-interactive: whether others can ask questions of their own'),
    },
    implementation: {
      preprocessing_and_hyperparameter_tuning: blank(
        'what was done with the data before, and whether that is paid for',
      ),
      mechanisms: textOf(sections, ['mechanisms']),
      composition: textOf(sections, ['reasons']),
      post_processing: blank('what was done with the results'),
      justification: blank('why these parameters, and who decided'),
      utility: blank('how exact the results are'),
      additional_information: textOf(sections, ['not-covered', 'implementation']),
    },
    administrative: {
      evidence_sources: blank('where this can be read'),
      status: 'Draft',
      registry_authors: blank('a list of who wrote this record'),
      tier: blank('1, 2 or 3: how much of this record is filled in'),
    },
  };
}

/** What was certified, for programs: ends are doubles, lower ones rounded down and upper ones up. */
function certified({ stated, specification }: PrivacyStatement, version: string): RecordValue {
  const { answer, risk, theorems, conditions, group } = stated;
  const row = answer.bounds.find(({ id }) => id === answer.bound);
  return {
    version,
    solved_for: answer.query.solveFor,
    epsilon: ends(answer.epsilon),
    delta: ends(answer.delta),
    adaptivity: specification.adaptivity,
    order: specification.order,
    bound: { id: answer.bound, reference: row?.reference ?? answer.bound },
    theorems: theorems.map(({ id, number, reference }) => ({ id, number, reference })),
    conditions: conditions.map(({ id, state }) => ({ id, state })),
    risk: {
      advantage: ends(risk.advantage),
      guess: { prior: risk.guess.prior.toNumber(), success: ends(risk.guess.success) },
      tests: risk.tests.map(({ falsePositiveRate, truePositiveRate }) => ({
        false_positive_rate: falsePositiveRate.toNumber(),
        true_positive_rate: ends(truePositiveRate),
      })),
    },
    group:
      group === null
        ? blank('of data several neighbouring steps apart nothing was asked (--distance)')
        : {
            distance: group.distance,
            claim: group.claim === null ? blank('no claim that promises anything is known') : ends(group.claim),
            reference: group.reference,
          },
  };
}

const COMMENT = ` A record of a deployment, with the fields of the Differential Privacy Deployments Registry
 (registry.opendp.org, after Dwork, Kohli, Mulligan 2019). null is what dpcompose does not know;
 the comment beside it says what belongs there. What is under "dpcompose" is no field of that
 registry: the certified numbers behind it.`;

/** A record for a registry of deployments, in YAML: certified numbers and theorems, and blanks for what is not known. */
export function privacyRegistryRecord(statement: PrivacyStatement, version: string): string {
  const record = {
    deployment: deployment(statement, privacySections(statement)),
    dpcompose: certified(statement, version),
  };
  return blankYaml(record, COMMENT);
}
