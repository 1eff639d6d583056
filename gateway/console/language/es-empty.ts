// Spanish texts of parts of screens without any record.

import type * as en from './en-empty.ts';

export const empty: typeof en.empty = {
  stuck: 'Ninguna llamada atómica está atascada. Aquí aparece la que lleva más de 30 segundos en una fase.',
  endpoints:
    'No hay ningún destino configurado, así que no se envía ningún webhook. Añada la URL de su servidor que los recibe.',
  timeline: 'Aún no hay nada registrado. Aquí aparecen los cambios de estado, las peticiones y los webhooks.',
  attempts: 'Aún no hay intentos. Un destino en pausa recibe sus webhooks cuando usted lo reanuda.',
  links: 'Este usuario no tiene ningún enlace guardado.',
  contacts: 'Este usuario no tiene ningún contacto guardado.',
  paymentMethods: 'Este usuario no tiene ningún medio de pago guardado.',
  activity: 'Aún no hay actividad. Empieza cuando el usuario abre el enlace.',
  keys: 'Ninguna clave es válida. Su servidor necesita una para llamar a la API: créela aquí.',
  next: {
    overview: 'Ir al resumen',
    quickstart: 'Leer la guía de inicio',
    sandbox: 'Simular pagos en el entorno de pruebas',
    webhooks: 'Leer la guía de webhooks',
    endpoints: 'Ir a los destinos',
    users: 'Filtrar la lista de usuarios',
  },
};
