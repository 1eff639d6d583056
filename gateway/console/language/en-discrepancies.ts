// English texts of discrepancies. Spanish has the same keys: `es-discrepancies.ts` does not compile otherwise.

export const discrepancies = {
  none: "No discrepancies. The import of a provider's settlement file opens one for each difference from the journal.",
  theirs: 'In the file',
  ours: 'In the journal',
  line: (line: number) => `line ${line}`,
  decide: 'Decide',
  save: 'Save',
  how: 'The state is for people: no money moves. Your name and the note are added to the log.',
  note: 'Note (kept in the log; do not name users)',
  log: 'Log',
  byImport: 'A later import',
  states: {
    OPEN: 'Open',
    INVESTIGATING: 'Being investigated',
    RESOLVED: 'Resolved',
    ACCEPTED: 'Accepted as it is',
  },
  kinds: {
    MISSING_WITH_US: 'Only in the file',
    MISSING_WITH_THEM: 'Only in the journal',
    AMOUNT_DIFFERS: 'Amount differs',
    DUPLICATE: 'Twice in files',
  },
};
