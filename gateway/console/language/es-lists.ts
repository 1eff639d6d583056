// Spanish texts of lists, of the keyboard and of the page of a payment.

import type * as en from './en-lists.ts';

export const lists: typeof en.lists = {
  statuses: 'Estados',
  presets: { '1h': 'Última hora', '24h': '24 horas', '7d': '7 días', '30d': '30 días' },
  anyTime: 'Siempre',
  times: 'Período',
  view: 'Guardar esta vista',
  viewName: 'Nombre de la vista',
  viewHow:
    'El nombre y los filtros pasan a ser la dirección de esta página. Guárdela en favoritos o envíela a alguien.',
  viewApply: 'Dar nombre',
  copyLink: 'Copiar enlace',
  fullFile:
    'El archivo tiene 100 000 filas, el máximo posible. Para ver filas anteriores, elija un período anterior.',
  empty: {
    operations:
      'Aún no hay operaciones. Aparece una cuando un pagador empieza a pagar una solicitud de dinero, o cuando una llamada atómica o una solicitud v2 tiene éxito.',
    moneyRequests:
      'Aún no hay solicitudes de dinero. Su servidor crea una con POST /v1/request-money o con la mutación createRequestMoney.',
    remittances:
      'Aún no hay llamadas atómicas. Su servidor hace una con POST /v1/user/operations/request-money-full o con la mutación requestMoneyFull.',
    deliveries:
      'Aún no hay webhooks. Se envía uno a cada destino cuando un pago cambia. Pruébelo con «Enviar un webhook de prueba» en Destinos.',
    users:
      'Aún no hay usuarios. Se crea uno con su primer enlace o llamada atómica, o con la mutación registerUser.',
    links: 'Aún no hay enlaces. Su servidor crea uno con POST /partner/links o con la mutación createLink.',
    requests:
      'No hay peticiones en los últimos 7 días. Una petición de una clave de API o de una sesión aparece aquí si falla, cambia algo o muestra datos de contacto.',
  },
  repeat: {
    verb: 'Enviar como petición nueva',
    how: 'El registro no guarda cuerpos. Ya están puestos los datos que la solicitud aún tiene; escriba los demás. Se crea una solicitud de dinero en el entorno de pruebas, con otra referencia.',
    unknown: 'Ninguna solicitud de dinero tiene esta referencia. Escriba todos los datos.',
    firstName: 'Nombre',
    lastName: 'Apellido',
    state: 'Estado o provincia, si la ruta lo pide',
    account: 'Número de cuenta',
    provider: 'Proveedor que paga el efectivo',
  },
};

export const keyboard: typeof en.keyboard = {
  title: 'Teclado',
  open: 'Atajos de teclado',
  search: 'Ir a la búsqueda',
  next: 'Fila siguiente',
  previous: 'Fila anterior',
  enter: 'Abrir la fila',
  help: 'Mostrar esta ayuda',
  isOn: 'Usar atajos de teclado',
};

export const navigation: typeof en.navigation = {
  menu: 'Menú',
  groups: {
    payments: 'Pagos',
    webhooks: 'Webhooks',
    people: 'Personas',
    access: 'Acceso',
  },
};

export const payment: typeof en.payment = {
  tabs: 'Partes del pago',
  webhooks: 'Webhooks',
  failing: (shown) => `${shown} sin entregar`,
  undelivered: (count, shown) =>
    count === 1
      ? '1 webhook no se entregó: es posible que su servidor no sepa esto.'
      : `${shown} webhooks no se entregaron: es posible que su servidor no sepa esto.`,
  noWebhooks:
    'No hay ningún webhook guardado sobre este pago. Cuando el pago cambia, se envía uno a cada destino que recibe el evento.',
  attempts: (count) => (count === 1 ? '1 intento' : `${count} intentos`),
  ids: 'Ids',
  steps: 'Progreso',
  states: { done: 'hecho', current: 'ahora', failed: 'fallido', ended: 'terminado', ahead: 'pendiente' },
};
