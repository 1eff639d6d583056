import type { Words } from './en.ts';

export const access: Words['access'] = {
  roles: { read: 'consulta', support: 'soporte', operate: 'operación', admin: 'administración' },
  values: { READ: 'Consulta', SUPPORT: 'Soporte', OPERATE: 'Operación', ADMIN: 'Administración' },
  lacks: (act, role) => `${act}: requiere el rol de ${role}.`,
  missing: (role) => `Esto requiere el rol de ${role}.`,
};

export const companySignIn: Words['companySignIn'] = {
  title: 'Inicie sesión con la cuenta de su empresa',
  partner: 'Id del socio',
  environment: 'Entorno',
  go: 'Continuar',
  refused: {
    unknown:
      'Este socio no tiene inicio de sesión con cuentas de empresa en este entorno. Revise el id del socio.',
    expired: 'Este inicio de sesión venció, ya se usó o comenzó en otro navegador. Comience de nuevo.',
    offline: 'No se puede conectar con el servicio de acceso de su empresa. Reintente más tarde.',
    denied: 'El servicio de acceso de su empresa no le permitió entrar.',
    invalid: 'La respuesta del servicio de acceso de su empresa no es válida. Avise a su administrador.',
    clock:
      'El reloj del servicio de acceso de su empresa difiere más de 5 minutos. Avise a su administrador.',
    role: 'La cuenta de su empresa no tiene un rol en esta consola. Pídalo a su administrador.',
  },
};
