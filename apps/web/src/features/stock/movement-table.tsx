import { actorWords } from '../../lib/actor-words.ts'
import type { StockMovement } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatChange, quantityWords, reasonWords } from './stock-words.ts'

interface MovementTableProps extends MorePages {
  movements: readonly StockMovement[]
  /** Members by their IDs. */
  names: ReadonlyMap<string, string>
}

/** What changed the stock of an item, the latest first. */
export function MovementTable({ movements, names, ...more }: MovementTableProps) {
  const columns: Column<StockMovement>[] = [
    { key: 'why', label: 'Why', isTitle: true, cell: ({ reason }) => reasonWords[reason] },
    { key: 'at', label: 'When', cell: ({ created_at }) => <Time at={created_at} as="clock" /> },
    { key: 'stock', label: 'Quantity', cell: ({ stock }) => quantityWords[stock] },
    { key: 'change', label: 'Change', align: 'right', cell: ({ change }) => formatChange(change) },
    { key: 'after', label: 'Then', align: 'right', cell: ({ quantity_after }) => formatCount(quantity_after) },
    {
      key: 'by',
      label: 'By',
      cell: ({ actor }) => actorWords(actor, names.get(actor.split(':')[1] ?? '') ?? null),
    },
    {
      key: 'for',
      label: 'For',
      cell: ({ job_id, order_id, notes }) => (
        <span>
          {job_id !== null && (
            <LinkText to="/jobs/$jobId" params={{ jobId: job_id }}>
              The job
            </LinkText>
          )}
          {order_id !== null && (
            <LinkText to="/s/$id" params={{ id: order_id }}>
              The order
            </LinkText>
          )}
          {(job_id !== null || order_id !== null) && notes !== '' && ' · '}
          {notes === '' && job_id === null && order_id === null ? '–' : notes}
        </span>
      ),
    },
  ]
  return <DataTable label="Movements" columns={columns} rows={movements} rowKey={({ id }) => id} {...more} />
}
