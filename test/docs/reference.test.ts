import { describe } from 'vitest';
import { GROUPS, itShowsWhatIsPrinted } from './pages.ts';

describe('an example', () => {
  itShowsWhatIsPrinted(GROUPS.reference);
});
