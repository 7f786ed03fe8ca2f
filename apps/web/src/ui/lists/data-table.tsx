import { Button, Table, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../icon.tsx'
import './data-table.css'

export interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /** The value the service sorts by; without it the column cannot be sorted. */
  sort?: string
  align?: 'left' | 'right'
  /** On a phone: the line that names the card. One column has it. */
  isTitle?: boolean
  /** Left out on a phone. */
  isWideOnly?: boolean
}

interface Sorting {
  by: string
  descending: boolean
}

interface DataTableProps<Row> {
  /** Read aloud in place of a visible caption: `Printers`. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sorting?: Sorting | undefined
  onSort?: (sorting: Sorting) => void
  /** What reads the next page; undefined: all is here. */
  onMore?: (() => void) | undefined
  isLoadingMore?: boolean
}

/** Rows of a list: a dense table on wide screens, one card per row on a phone. Sorting is the service's. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sorting, onSort, onMore, isLoadingMore } = props
  return (
    <>
      <Table className="data-table" aria-label={label} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ key, label: name, cell, align, isTitle, isWideOnly }) => (
                <Table.Td
                  key={key}
                  ta={align ?? 'left'}
                  data-label={name}
                  data-title={isTitle || undefined}
                  data-short={align === 'right' || undefined}
                  data-wide-only={isWideOnly || undefined}
                >
                  <div>{cell(row)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {onMore && (
        <Button variant="default" mt="sm" onClick={onMore} loading={isLoadingMore ?? false}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

interface HeadCellProps<Row> {
  column: Column<Row>
  sorting: Sorting | undefined
  onSort: ((sorting: Sorting) => void) | undefined
}

function HeadCell<Row>({ column, sorting, onSort }: HeadCellProps<Row>) {
  const { sort, label, align = 'left' } = column
  if (sort === undefined || !onSort) return <Table.Th ta={align}>{label}</Table.Th>
  const isSorted = sorting?.by === sort
  const order = !isSorted ? 'none' : sorting.descending ? 'descending' : 'ascending'
  return (
    <Table.Th ta={align} aria-sort={order}>
      <UnstyledButton
        className="sort-button"
        onClick={() => onSort({ by: sort, descending: isSorted ? !sorting.descending : false })}
      >
        {label}
        {isSorted && <Icon name={sorting.descending ? 'down' : 'up'} size={14} />}
      </UnstyledButton>
    </Table.Th>
  )
}
