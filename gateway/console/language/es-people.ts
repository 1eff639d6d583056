import type { Words } from './en.ts';

export const people: Words['people'] = {
  payments: 'Pagos',
  noPayments: 'Este usuario no tiene ningún pago guardado.',
  payer: 'Pagador',
  kind: 'Tipo',
  lastActivity: 'Última actividad',
  changed: 'Último cambio',
  blockedBy: 'Bloqueado por',
  blockers: {
    API_KEY: 'clave de API',
    CONSOLE_SESSION: 'sesión de la consola',
    OPERATOR: 'operador de la plataforma',
  },
  kinds: { MONEY_REQUEST: 'Solicitud de dinero', ATOMIC_CALL: 'Llamada atómica', REQUEST_V2: 'Solicitud v2' },
  count: (count, shown) => (count === 1 ? '1 pago' : `${shown} pagos`),
  completed: 'completados',
  isPart: 'Solo se cuentan los 10 000 pagos más recientes de cada tipo.',
  failedRequest: 'Petición rechazada',
  failedRequests: 'Peticiones rechazadas',
  noRepeat: 'La misma petición se rechazaría otra vez.',
};
