// English texts of what did not work, and what to do instead. Spanish has the same keys: `es-notices.ts` does not compile otherwise.

export const notices = {
  notCopied: 'Not copied: the browser does not allow it. Copy the selected text:',
  newVersion: 'If the server has a new version of the console, “Try again” loads it.',
  stillSignedIn: (present: string) => `You are still signed in to ${present}.`,
  range: {
    incomplete: 'Enter both times of the range.',
    order: 'The range ends before it starts.',
    future: 'The range starts in the future.',
    long: 'The range is longer than 400 days. Choose a shorter one.',
  },
};
