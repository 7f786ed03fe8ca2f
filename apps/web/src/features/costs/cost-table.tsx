import { Text } from '@mantine/core'
import type { CostOf } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { costText, partWords } from './cost-words.ts'

interface CostTableProps {
  label: string
  currency: string
  costs: readonly { label: string; cost: CostOf }[]
}

interface Row {
  key: string
  name: string
  amounts: string[]
  isTotal?: true
}

/** Costs beside each other, part by part; a single one as a list. Parts that none of them has are left out. */
export function CostTable({ label, currency, costs }: CostTableProps) {
  const parts = (costs[0]?.cost.parts ?? []).flatMap(({ part }): Row[] => {
    const each = costs.map(({ cost }) => cost.parts.find((one) => one.part === part))
    if (each.every((one) => one === undefined || (one.is_known && one.known === '0'))) return []
    const amounts = each.map((one) => costText(one?.known ?? '0', one?.is_known ?? false, currency))
    return [{ key: part, name: partWords[part], amounts }]
  })
  const totals = costs.map(({ cost }) => costText(cost.known, cost.total !== null, currency))
  const rows: Row[] = [...parts, { key: 'total', name: t('Total'), amounts: totals, isTotal: true }]
  if (costs.length === 1) return <Facts isGrid facts={rows.map(({ name, amounts }) => [name, amounts[0]])} />
  const columns: Column<Row>[] = [
    {
      key: 'part',
      label: t('Part'),
      isTitle: true,
      cell: ({ name, isTotal }) => <Cell isTotal={isTotal}>{name}</Cell>,
    },
    ...costs.map(
      (each, at): Column<Row> => ({
        key: each.label,
        label: each.label,
        align: 'right',
        cell: ({ amounts, isTotal }) => <Cell isTotal={isTotal}>{amounts[at]}</Cell>,
      }),
    ),
  ]
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ key }) => key} />
}

function Cell({ isTotal, children }: { isTotal: true | undefined; children: React.ReactNode }) {
  return (
    <Text span inherit fw={isTotal ? 600 : undefined}>
      {children}
    </Text>
  )
}
