import type { StockMovement } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { actorWords } from '../../lib/words/actor-words.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { MovementCause } from '../../ui/production/movement-cause.tsx'
import { Time } from '../../ui/time.tsx'
import { formatChange, quantityWords, reasonWords } from './stock-words.ts'

interface MovementTableProps extends MorePages {
  movements: readonly StockMovement[]
}

/** What changed the stock of an item, the latest first. */
export function MovementTable({ movements, ...more }: MovementTableProps) {
  const columns: Column<StockMovement>[] = [
    { key: 'why', label: t('Reason'), isTitle: true, cell: ({ reason }) => reasonWords[reason] },
    {
      key: 'at',
      label: t('Time'),
      cell: ({ happened_at, created_at }) => <Time at={happened_at ?? created_at} as="clock" />,
    },
    { key: 'stock', label: t('Quantity'), cell: ({ stock }) => quantityWords[stock] },
    { key: 'change', label: tc('in amount', 'Change'), align: 'right', cell: ({ change }) => formatChange(change) },
    { key: 'after', label: t('Then'), align: 'right', cell: ({ quantity_after }) => formatCount(quantity_after) },
    {
      key: 'by',
      label: t('By'),
      cell: ({ actor, actor_name }) => actorWords(actor, actor_name),
    },
    {
      key: 'for',
      label: t('For'),
      cell: (movement) => <MovementCause {...movement} />,
    },
  ]
  return <DataTable label={t('Movements')} columns={columns} rows={movements} rowKey={({ id }) => id} {...more} />
}
