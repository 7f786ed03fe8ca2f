import type { MaterialMovement } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { actorWords } from '../../lib/words/actor-words.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { MovementCause } from '../../ui/production/movement-cause.tsx'
import { Time } from '../../ui/time.tsx'
import { formatQuantity, type MaterialKind, reasonWords } from './material-kinds.ts'

interface MovementTableProps extends MorePages {
  kind: MaterialKind
  movements: readonly MaterialMovement[]
}

/** What changed the quantity of a material, the latest first. */
export function MovementTable({ kind, movements, ...more }: MovementTableProps) {
  const columns: Column<MaterialMovement>[] = [
    { key: 'why', label: t('Reason'), isTitle: true, cell: ({ reason }) => reasonWords[reason] },
    {
      key: 'at',
      label: t('Time'),
      cell: ({ happened_at, created_at }) => <Time at={happened_at ?? created_at} as="clock" />,
    },
    {
      key: 'change',
      label: tc('in amount', 'Change'),
      align: 'right',
      cell: ({ change, shortage }) =>
        `${change < 0 ? '−' : '+'}${formatQuantity(kind, Math.abs(change))}${
          shortage > 0 ? t(' ({amount} more than there was)', { amount: formatQuantity(kind, shortage) }) : ''
        }`,
    },
    {
      key: 'after',
      label: t('Then'),
      align: 'right',
      cell: ({ quantity_after }) => formatQuantity(kind, quantity_after),
    },
    { key: 'by', label: t('By'), cell: ({ actor, actor_name }) => actorWords(actor, actor_name) },
    {
      key: 'for',
      label: t('For'),
      cell: (movement) => <MovementCause {...movement} />,
    },
  ]
  return <DataTable label={t('Movements')} columns={columns} rows={movements} rowKey={({ id }) => id} {...more} />
}
