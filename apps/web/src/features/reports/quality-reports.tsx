import type { PromisesReport, YieldReport } from '../../lib/api/api-schema.generated.ts'
import { failureWords } from '../../lib/failure-words.ts'
import { formatCount, formatPercent } from '../../lib/format.ts'
import { LinkText } from '../../ui/link-text.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { DayPanel } from './day-panel.tsx'
import { platformWord } from './platform-words.ts'
import { printerColumn } from './report-columns.tsx'
import type { ReportDays } from './report-search.ts'
import { ReportTable } from './report-table.tsx'
import { csvAddress } from './reports.api.ts'

interface ReportProps<Report> {
  report: Report
  days: ReportDays
}

const share = (percent: number | null) => (percent === null ? '–' : formatPercent(percent))
const dayCount = (days: number | null) => (days === null ? '–' : `${days} d`)

/** What cost units, in the words of the floor. */
const reasonWords: Record<YieldReport['reasons'][number]['reason'], string> = {
  ...failureWords,
  rejected_on_plate: 'Bad units on good plates',
  rejected_in_assembly: 'Bad units in assembly',
}

type Yielded = YieldReport['summary']

const yielded: Column<Yielded>[] = [
  { key: 'done', label: 'Plates done', align: 'right', cell: ({ plates_done }) => formatCount(plates_done) },
  { key: 'failed', label: 'Failed', align: 'right', cell: ({ plates_failed }) => formatCount(plates_failed) },
  { key: 'stopped', label: 'Stopped', align: 'right', cell: ({ plates_stopped }) => formatCount(plates_stopped) },
  { key: 'plates', label: 'Plate yield', align: 'right', cell: ({ plate_yield }) => share(plate_yield) },
  { key: 'good', label: 'Good units', align: 'right', cell: ({ units_good }) => formatCount(units_good) },
  { key: 'rejected', label: 'Rejected', align: 'right', cell: ({ units_rejected }) => formatCount(units_rejected) },
  { key: 'units', label: 'Unit yield', align: 'right', cell: ({ unit_yield }) => share(unit_yield) },
]

const nothingPrinted = 'No plate ended in these days.'

/** What came of plates, and what cost the most units. */
export function YieldTables({ report, days }: ReportProps<YieldReport>) {
  const { summary, reasons, by_file, by_printer, by_material } = report
  return (
    <>
      <Panel title="In all">
        <Facts
          isGrid
          facts={[
            ['Plates done', formatCount(summary.plates_done)],
            ['Plates failed', formatCount(summary.plates_failed)],
            ['Plate yield', share(summary.plate_yield)],
            ['Good units', formatCount(summary.units_good)],
            ['Rejected units', formatCount(summary.units_rejected)],
            ['Unit yield', share(summary.unit_yield)],
          ]}
        />
      </Panel>
      <DayPanel
        label="Units lost by reason"
        each="reason"
        days={reasons.map(({ reason, units_lost }) => ({ date: reasonWords[reason], value: units_lost }))}
        format={formatCount}
      />
      <ReportTable
        title="What cost units"
        columns={[
          { key: 'reason', label: 'Reason', isTitle: true, cell: ({ reason }) => reasonWords[reason] },
          { key: 'count', label: 'Times', align: 'right', cell: ({ count }) => formatCount(count) },
          { key: 'lost', label: 'Units lost', align: 'right', cell: ({ units_lost }) => formatCount(units_lost) },
          { key: 'share', label: 'Of all lost', align: 'right', cell: (each) => share(each.share) },
          { key: 'sum', label: 'With those above', align: 'right', cell: (each) => share(each.cumulative_share) },
        ]}
        rows={reasons}
        rowKey={({ reason }) => reason}
        csv={csvAddress('yield', days, 'reason')}
        empty="No unit was lost in these days."
      />
      <ReportTable
        title="By file"
        columns={[
          {
            key: 'file',
            label: 'File',
            isTitle: true,
            cell: ({ print_file_id, file_name }) => (
              <LinkText to="/files/$fileId" params={{ fileId: print_file_id }}>
                {file_name}
              </LinkText>
            ),
          },
          ...yielded,
        ]}
        rows={by_file}
        rowKey={({ print_file_id }) => print_file_id}
        csv={csvAddress('yield', days, 'file')}
        empty={nothingPrinted}
      />
      <ReportTable
        title="By printer"
        columns={[printerColumn, ...yielded]}
        rows={by_printer}
        rowKey={({ printer_id }) => printer_id}
        csv={csvAddress('yield', days, 'printer')}
        empty={nothingPrinted}
      />
      <ReportTable
        title="By material"
        columns={[{ key: 'material', label: 'Material', isTitle: true, cell: ({ material }) => material }, ...yielded]}
        rows={by_material}
        rowKey={({ material }) => material}
        csv={csvAddress('yield', days, 'material')}
        empty={nothingPrinted}
      />
    </>
  )
}

type Promised = PromisesReport['summary']

const promised: Column<Promised>[] = [
  { key: 'orders', label: 'Promised', align: 'right', cell: ({ orders }) => formatCount(orders) },
  { key: 'within', label: 'Kept', align: 'right', cell: ({ within }) => formatCount(within) },
  { key: 'late', label: 'Late', align: 'right', cell: ({ late }) => formatCount(late) },
  { key: 'kept', label: 'Kept of all', align: 'right', cell: ({ within_percent }) => share(within_percent) },
  { key: 'average', label: 'Late on average', align: 'right', cell: (each) => dayCount(each.late_days_average) },
  { key: 'worst', label: 'At worst', align: 'right', cell: (each) => dayCount(each.late_days_worst) },
]

const nothingPromised = 'No order was promised for these days.'

/** How many orders left by when they were promised first. */
export function PromiseTables({ report, days }: ReportProps<PromisesReport>) {
  const { summary, by_week, by_platform, late_orders } = report
  return (
    <>
      <Panel title="In all">
        <Facts
          isGrid
          facts={[
            ['Orders promised', formatCount(summary.orders)],
            ['Kept', formatCount(summary.within)],
            ['Kept of all', share(summary.within_percent)],
            ['Late', formatCount(summary.late)],
            ['Late and not gone yet', formatCount(summary.late_open)],
            ['Promised again since', formatCount(summary.changed)],
          ]}
        />
      </Panel>
      <DayPanel
        label="Promises kept by week, in percent"
        each="week"
        days={by_week.map(({ week, within_percent }) => ({ date: week, value: within_percent ?? 0 }))}
        format={formatPercent}
      />
      <ReportTable
        title="By week"
        columns={[{ key: 'week', label: 'Week from', isTitle: true, cell: ({ week }) => week }, ...promised]}
        rows={by_week.toReversed()}
        rowKey={({ week }) => week}
        csv={csvAddress('promises', days, 'week')}
        empty={nothingPromised}
      />
      <ReportTable
        title="By platform"
        columns={[
          { key: 'platform', label: 'Platform', isTitle: true, cell: ({ platform }) => platformWord(platform) },
          ...promised,
        ]}
        rows={by_platform}
        rowKey={({ platform }) => platform}
        csv={csvAddress('promises', days, 'platform')}
        empty={nothingPromised}
      />
      <ReportTable
        title="The latest orders"
        columns={[
          {
            key: 'order',
            label: 'Order',
            isTitle: true,
            cell: ({ order_id, order_number }) => (
              <LinkText to="/orders/$orderId" params={{ orderId: order_id }}>
                {order_number}
              </LinkText>
            ),
          },
          { key: 'platform', label: 'Platform', cell: ({ platform }) => platformWord(platform) },
          { key: 'promised', label: 'Promised for', cell: ({ promised_at }) => <Time at={promised_at} as="clock" /> },
          {
            key: 'shipped',
            label: 'Left',
            cell: ({ shipped_at }) => <Time at={shipped_at} as="clock" never="not yet" />,
          },
          { key: 'late', label: 'Late by', align: 'right', cell: ({ late_days }) => dayCount(late_days) },
        ]}
        rows={late_orders}
        rowKey={({ order_id }) => order_id}
        csv={csvAddress('promises', days, 'order')}
        empty="No order left later than it was promised."
      />
    </>
  )
}
