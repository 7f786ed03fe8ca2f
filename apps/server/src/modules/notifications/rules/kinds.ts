/** What people can be told of. Each comes from an event, or from a task that a rule of the farm has made. */
export const kinds = [
  'needs_person',
  'print_done',
  'print_failed',
  'printer_silent',
  'printer_error',
  'order_received',
  'order_at_risk',
  'order_late',
  'stock_low',
  'filament_low',
  'hub_gone',
  'backup_failed',
  'receiver_paused',
] as const
export type Kind = (typeof kinds)[number]
