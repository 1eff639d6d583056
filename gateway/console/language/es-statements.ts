import type { statements as en } from './en-statements.ts';

/** Spanish texts of statements. */
export const statements: typeof en = {
  title: 'Estado de cuenta',
  none: 'Aún no hay estados de cuenta. Se emite uno por cada día y mes con saldo o con un asiento en el diario, minutos después de su fin en su zona horaria.',
  how: 'Los cargos son mayores que 0 y los abonos menores. Un estado de cuenta nunca cambia: un asiento tardío cuenta en un día posterior.',
  balances: 'Saldos de las cuentas contables',
  account: 'Cuenta contable',
  opening: 'Saldo inicial',
  closing: 'Saldo final',
  partner: 'Socio',
  from: 'Desde',
  to: 'Antes de',
  zone: 'Zona horaria',
  fees: 'Comisiones',
  fx: 'Cambio de divisas',
  entries: 'Asientos del diario',
  hash: 'Hash del último asiento',
  issued: 'Emisión',
  print: 'Imprimir',
  accounts: {
    PAYER_RECEIVABLE: 'Deuda de los pagadores',
    PARTNER_PAYABLE: 'Deuda con los beneficiarios',
    FEE_INCOME: 'Comisiones',
    FX_POSITION: 'Divisas cambiadas',
    PROVIDER_CLEARING: 'En manos de los proveedores',
  },
  kinds: {
    CLAIM: 'Cobros pendientes',
    FUNDING: 'Entradas de dinero',
    PAYOUT: 'Pagos',
    REFUND: 'Reembolsos',
    RELEASE: 'Cobros anulados',
  },
};
