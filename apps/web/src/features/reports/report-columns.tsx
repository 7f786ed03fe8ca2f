import { formatDay } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'

/** The printer that a row is about, by its name. */
export const printerColumn: Column<{ printer_id: string; printer_name: string }> = {
  key: 'printer',
  label: t('Printer'),
  isTitle: true,
  cell: ({ printer_id, printer_name }) => (
    <LinkText to="/printers/$printerId" params={{ printerId: printer_id }}>
      {printer_name}
    </LinkText>
  ),
}

/** The day that a row is about. */
export const dayColumn: Column<{ date: string }> = {
  key: 'date',
  label: t('Day'),
  isTitle: true,
  cell: ({ date }) => formatDay(date),
}
