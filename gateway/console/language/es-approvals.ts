import type { approvals as en } from './en-approvals.ts';

/** Spanish texts of approvals. */
export const approvals: typeof en = {
  title: 'Aprobaciones',
  open: (count) => (count === 1 ? '1 abierta' : `${count} abiertas`),
  how: 'Un administrador debe aprobar estos cambios, y no puede ser la persona que los pidió. Una petición que nadie decide en 24 horas vence, y no cambia nada.',
  off: 'Ningún cambio necesita aprobación. El operador del servicio decide cuáles lo necesitan.',
  none: 'Aún no hay peticiones. Un cambio que necesita aprobación espera aquí la decisión.',
  waits: 'No se ha cambiado nada. Un administrador que sea otra persona debe aprobarlo hasta',
  seeAll: 'Ver aprobaciones',
  requestedBy: 'Lo pidió',
  decidedBy: 'Lo decidió',
  change: 'Cambio',
  approve: 'Aprobar',
  approveHow: (person) =>
    `Aprueba un cambio que pidió ${person}. Se hace ahora, una sola vez, y ambos nombres quedan en el registro de peticiones.`,
  secretHow:
    'Si crea una clave o un secreto, lo verá una sola vez, y quien lo pidió no lo verá. Entréguelo de forma segura.',
  reject: 'Rechazar',
  rejectHow: 'El cambio no se hace. Se puede pedir otra vez.',
  withdraw: 'Retirar',
  madeSecret: 'Clave o secreto nuevo (se muestra una sola vez, y solo a usted):',
  operations: {
    createApiKey: 'Crear una clave de API',
    rotateApiKey: 'Cambiar una clave de API',
    regenerateWebhookSecret: 'Cambiar el secreto de los webhooks',
    rotateWebhookSecret: 'Cambiar el secreto de los webhooks',
    updateWebhookConfig: 'Cambiar la configuración de los webhooks',
    createWebhookEndpoint: 'Añadir un destino',
    updateWebhookEndpoint: 'Cambiar un destino',
    deleteWebhookEndpoint: 'Eliminar un destino',
    updateOperationalEventsConfig: 'Cambiar los receptores de los eventos operativos',
    replayWebhookDeliveries: 'Enviar otra vez muchos webhooks',
  },
};
