import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { ImportedRow } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t, tc } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import type { Tone } from '../../../ui/tone.ts'

/** A file may have ten thousand rows; who wants more of them says so. */
const shownAtOnce = 100

const outcomes: Record<ImportedRow['outcome'], { tone: Tone; word: string; before: string }> = {
  created: { tone: 'done', word: t('Recorded'), before: t('Will be recorded') },
  exists: { tone: 'away', word: t('There already'), before: t('There already') },
  skipped: { tone: 'away', word: t('Skipped'), before: t('Skipped') },
  refused: { tone: 'trouble', word: t('Refused'), before: t('Refused') },
}

/** What becomes of each row of a file, as a spreadsheet counts them. */
export function ImportRows({ rows, isDryRun }: { rows: readonly ImportedRow[]; isDryRun: boolean }) {
  const [part, setPart] = useState('all')
  const [most, setMost] = useState(shownAtOnce)
  const asking = rows.filter(({ outcome, unmapped }) => outcome === 'refused' || (outcome === 'created' && unmapped))
  const chosen = part === 'all' ? rows : asking
  const columns: Column<ImportedRow>[] = [
    { key: 'row', label: t('Row'), isTitle: true, cell: ({ row }) => t('Row {row}', { row }) },
    {
      key: 'order',
      label: tc('of a customer', 'Order'),
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
      label: t('Outcome'),
      cell: ({ outcome }) => {
        const { tone, word, before } = outcomes[outcome]
        return <StatusBadge tone={tone}>{isDryRun ? before : word}</StatusBadge>
      },
    },
    { key: 'why', label: t('Remarks'), cell: (row) => <Text size="sm">{wordsOf(row)}</Text> },
  ]
  return (
    <>
      {asking.length > 0 && asking.length < rows.length && (
        <SegmentedControl
          mb="sm"
          aria-label={t('Filter of rows')}
          value={part}
          onChange={setPart}
          data={[
            { value: 'all', label: t('All {rows}', { rows: formatCount(rows.length) }) },
            { value: 'asking', label: t('Refused or not mapped {asking}', { asking: formatCount(asking.length) }) },
          ]}
        />
      )}
      <DataTable
        label={t('Rows of the file')}
        columns={columns}
        rows={chosen.slice(0, most)}
        rowKey={({ row }) => String(row)}
        onMore={chosen.length > most ? () => setMost(most + shownAtOnce) : undefined}
      />
    </>
  )
}

function wordsOf({ outcome, unmapped, reason, errors }: ImportedRow): string {
  const faults = errors.map(({ field, column, message: said }) => {
    const message = serviceSentence(said)
    return field === '_root' ? message : t('‘{column}’: {message}', { column: column ?? field, message })
  })
  if (faults.length > 0) return faults.join('; ')
  if (reason !== null) return serviceSentence(reason)
  if (outcome === 'refused') return t('another row of its order has a mistake')
  return unmapped ? t('stands for no SKU yet') : '–'
}
