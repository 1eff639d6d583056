/** Texts of roles. */
export const access = {
  roles: { read: 'viewer', support: 'support', operate: 'operator', admin: 'admin' },
  values: { READ: 'Viewer', SUPPORT: 'Support', OPERATE: 'Operator', ADMIN: 'Admin' },
  lacks: (act: string, role: string) => `${act}: needs the role ${role}.`,
  missing: (role: string) => `This needs the role ${role}.`,
};

/** Texts of the sign-in with an account of the company. */
export const companySignIn = {
  title: 'Sign in with your company account',
  partner: 'Partner id',
  environment: 'Environment',
  go: 'Continue',
  refused: {
    unknown: 'This partner has no sign-in with company accounts in this environment. Check the partner id.',
    expired: 'This sign-in has expired, was already used or began in another browser. Start again.',
    offline: "Your company's sign-in service cannot be reached. Try again later.",
    denied: "Your company's sign-in service did not let you in.",
    invalid: "The answer of your company's sign-in service is not valid. Inform your administrator.",
    clock:
      "The clock of your company's sign-in service is more than 5 minutes off. Inform your administrator.",
    role: 'Your company account has no role for this console. Ask your administrator for one.',
  },
};
