import { actorWords } from '../../lib/actor-words.ts'
import type { MaterialMovement } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatQuantity, type MaterialKind, reasonWords } from './material-kinds.ts'

interface MovementTableProps extends MorePages {
  kind: MaterialKind
  movements: readonly MaterialMovement[]
  /** Members by their IDs. */
  names: ReadonlyMap<string, string>
}

/** What changed the quantity of a material, the latest first. */
export function MovementTable({ kind, movements, names, ...more }: MovementTableProps) {
  const columns: Column<MaterialMovement>[] = [
    { key: 'why', label: 'Why', isTitle: true, cell: ({ reason }) => reasonWords[reason] },
    { key: 'at', label: 'When', cell: ({ created_at }) => <Time at={created_at} as="clock" /> },
    {
      key: 'change',
      label: 'Change',
      align: 'right',
      cell: ({ change, shortage }) =>
        `${change < 0 ? '−' : '+'}${formatQuantity(kind, Math.abs(change))}${
          shortage > 0 ? ` (${formatQuantity(kind, shortage)} more than there was)` : ''
        }`,
    },
    { key: 'after', label: 'Then', align: 'right', cell: ({ quantity_after }) => formatQuantity(kind, quantity_after) },
    { key: 'by', label: 'By', cell: ({ actor }) => actorWords(actor, names.get(actor.split(':')[1] ?? '') ?? null) },
    {
      key: 'for',
      label: 'For',
      cell: ({ job_id, notes }) => (
        <span>
          {job_id !== null && (
            <LinkText to="/jobs/$jobId" params={{ jobId: job_id }}>
              The job
            </LinkText>
          )}
          {job_id !== null && notes !== '' && ' · '}
          {notes === '' && job_id === null ? '–' : notes}
        </span>
      ),
    },
  ]
  return <DataTable label="Movements" columns={columns} rows={movements} rowKey={({ id }) => id} {...more} />
}
