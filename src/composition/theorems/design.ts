import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * A mechanism that runs sub-mechanisms and has the destination, the response and the f -> f' property is (e, d)-DP with
 * respect to f, against adaptive adversaries, where the f'-concurrent composition of its sub-mechanisms is (e, d)-DP: it
 * adds no privacy loss of its own.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 6.1; for pseudocode Corollary 6.6.
 */
export const ofSubmechanisms: Theorem = {
  id: 'design',
  number: 'Cor 6.6',
  name: 'a mechanism made of sub-mechanisms',
  reference: henzingerSafaviVadhan('Thm 6.1 and Cor 6.6'),
  needs: [],
  exposition: {
    statement:
      'A mechanism that runs sub-mechanisms adds no privacy loss of its own under two conditions. Its actions and outputs depend on its input only through their answers, and the messages of neighboring inputs differ no more than their guarantees cover.',
    formula: [
      "destination, response and f -> f' property: (e, d)-DP for f if the f'-concurrent composition of the sub-mechanisms is (e, d)-DP",
    ],
    departures: ['Definition 6.2 swaps left and right messages; dpcompose checks the corrected form.'],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
