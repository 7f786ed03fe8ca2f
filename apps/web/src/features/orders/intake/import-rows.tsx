import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { ImportedRow } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import type { Tone } from '../../../ui/tone.ts'

/** A file may have ten thousand rows; who wants more of them says so. */
const shownAtOnce = 100

const outcomes: Record<ImportedRow['outcome'], { tone: Tone; word: string; before: string }> = {
  created: { tone: 'done', word: 'Recorded', before: 'Will be recorded' },
  exists: { tone: 'away', word: 'There already', before: 'There already' },
  skipped: { tone: 'away', word: 'Skipped', before: 'Skipped' },
  refused: { tone: 'trouble', word: 'Refused', before: 'Refused' },
}

/** What becomes of each row of a file, as a spreadsheet counts them. */
export function ImportRows({ rows, isDryRun }: { rows: readonly ImportedRow[]; isDryRun: boolean }) {
  const [part, setPart] = useState('all')
  const [most, setMost] = useState(shownAtOnce)
  const asking = rows.filter(({ outcome, unmapped }) => outcome === 'refused' || (outcome === 'created' && unmapped))
  const chosen = part === 'all' ? rows : asking
  const columns: Column<ImportedRow>[] = [
    { key: 'row', label: 'Row', isTitle: true, cell: ({ row }) => `Row ${row}` },
    {
      key: 'order',
      label: 'Order',
      cell: ({ order_id, order_number }) =>
        order_id === null ? (
          order_number || '–'
        ) : (
          <LinkText to="/orders/$orderId" params={{ orderId: order_id }}>
            {order_number}
          </LinkText>
        ),
    },
    {
      key: 'outcome',
      label: 'Outcome',
      cell: ({ outcome }) => {
        const { tone, word, before } = outcomes[outcome]
        return <StatusBadge tone={tone}>{isDryRun ? before : word}</StatusBadge>
      },
    },
    { key: 'why', label: 'What is to be known', cell: (row) => <Text size="sm">{wordsOf(row)}</Text> },
  ]
  return (
    <>
      {asking.length > 0 && asking.length < rows.length && (
        <SegmentedControl
          mb="sm"
          aria-label="Which rows"
          value={part}
          onChange={setPart}
          data={[
            { value: 'all', label: `All ${formatCount(rows.length)}` },
            { value: 'asking', label: `Refused or not mapped ${formatCount(asking.length)}` },
          ]}
        />
      )}
      <DataTable
        label="Rows of the file"
        columns={columns}
        rows={chosen.slice(0, most)}
        rowKey={({ row }) => String(row)}
        onMore={chosen.length > most ? () => setMost(most + shownAtOnce) : undefined}
      />
    </>
  )
}

function wordsOf({ outcome, unmapped, reason, errors }: ImportedRow): string {
  const faults = errors.map(({ field, message }) => (field === '_root' ? message : `${field} ${message}`))
  if (faults.length > 0) return faults.join('; ')
  if (reason !== null) return reason
  if (outcome === 'refused') return 'another row of its order has a mistake'
  return unmapped ? 'stands for no SKU yet' : '–'
}
