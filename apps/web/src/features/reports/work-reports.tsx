import type {
  FailureAnalytics,
  IdleTime,
  PrintersReport,
  ProductionReport,
} from '../../lib/api/api-schema.generated.ts'
import { failureWords } from '../../lib/failure-words.ts'
import { formatCount, formatMinutes, formatPercent } from '../../lib/format.ts'
import { LinkText } from '../../ui/link-text.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { DayPanel } from './day-panel.tsx'
import { dayColumn, printerColumn } from './report-columns.tsx'
import type { ReportDays } from './report-search.ts'
import { ReportTable } from './report-table.tsx'
import { csvAddress } from './reports.api.ts'

interface ReportProps<Report> {
  report: Report
  days: ReportDays
}

interface Produced {
  jobs_completed: number
  jobs_failed: number
  units_produced: number
  units_rejected: number
  total_print_time_minutes: number
}

const produced: Column<Produced>[] = [
  { key: 'completed', label: 'Jobs done', align: 'right', cell: ({ jobs_completed }) => formatCount(jobs_completed) },
  { key: 'failed', label: 'Failed', align: 'right', cell: ({ jobs_failed }) => formatCount(jobs_failed) },
  { key: 'units', label: 'Units', align: 'right', cell: ({ units_produced }) => formatCount(units_produced) },
  { key: 'rejected', label: 'Rejected', align: 'right', cell: ({ units_rejected }) => formatCount(units_rejected) },
  {
    key: 'time',
    label: 'Print time',
    align: 'right',
    cell: ({ total_print_time_minutes }) => formatMinutes(total_print_time_minutes),
  },
]

/** What was printed, by day, SKU and printer. */
export function ProductionTables({ report, days }: ReportProps<ProductionReport>) {
  const { summary, daily, by_sku, by_printer } = report
  return (
    <>
      <Panel title="In all">
        <Facts
          isGrid
          facts={[
            ['Jobs done', formatCount(summary.jobs_completed)],
            ['Jobs failed', formatCount(summary.jobs_failed)],
            ['Done of all that ended', formatPercent(summary.completion_rate)],
            ['Units', formatCount(summary.units_produced)],
            ['Rejected', formatCount(summary.units_rejected)],
            // Of the days below: the hours of the summary are rounded to tenths.
            ['Print time', formatMinutes(daily.reduce((sum, day) => sum + day.total_print_time_minutes, 0))],
          ]}
        />
      </Panel>
      <DayPanel
        label="Units by day"
        days={daily.map(({ date, units_produced }) => ({ date, value: units_produced }))}
        format={formatCount}
      />
      <ReportTable
        title="By SKU"
        columns={[
          {
            key: 'sku',
            label: 'SKU',
            isTitle: true,
            cell: ({ product_sku_id, sku }) => (
              <LinkText to="/skus/$skuId" params={{ skuId: product_sku_id }}>
                {sku}
              </LinkText>
            ),
          },
          ...produced,
        ]}
        rows={by_sku}
        rowKey={({ product_sku_id }) => product_sku_id}
        csv={csvAddress('production', days, 'sku')}
        empty="No SKU was printed in these days."
      />
      <ReportTable
        title="By printer"
        columns={[printerColumn, ...produced]}
        rows={by_printer}
        rowKey={({ printer_id }) => printer_id}
        csv={csvAddress('production', days, 'printer')}
        empty="No printer ended a print in these days."
      />
      <ReportTable
        title="By day"
        columns={[dayColumn, ...produced]}
        rows={daily.filter((day) => day.jobs_completed + day.jobs_failed > 0).toReversed()}
        rowKey={({ date }) => date}
        csv={csvAddress('production', days, 'day')}
        empty="No job ended in these days."
      />
    </>
  )
}

/** How busy printers were, and how well they did. */
export function PrinterTables({ report, days }: ReportProps<PrintersReport>) {
  const { summary, printers } = report
  return (
    <>
      <Panel title="In all">
        <Facts
          isGrid
          facts={[
            ['Printers', formatCount(summary.total_printers)],
            ['Busy on average', formatPercent(summary.average_utilization)],
            ['Done on average', formatPercent(summary.average_success_rate)],
            ['Jobs', formatCount(summary.total_jobs)],
            ['Print time', formatMinutes(summary.total_print_hours * 60)],
          ]}
        />
      </Panel>
      <ReportTable
        title="By printer"
        columns={[
          {
            key: 'printer',
            label: 'Printer',
            isTitle: true,
            cell: ({ id, name }) => (
              <LinkText to="/printers/$printerId" params={{ printerId: id }}>
                {name}
              </LinkText>
            ),
          },
          { key: 'model', label: 'Model', cell: ({ model }) => model || '–' },
          { key: 'busy', label: 'Busy', align: 'right', cell: (each) => formatPercent(each.utilization_percent) },
          {
            key: 'time',
            label: 'Print time',
            align: 'right',
            cell: (each) => formatMinutes(each.total_print_hours * 60),
          },
          { key: 'done', label: 'Jobs done', align: 'right', cell: ({ completed }) => formatCount(completed) },
          { key: 'failed', label: 'Failed', align: 'right', cell: ({ failed }) => formatCount(failed) },
          {
            key: 'rate',
            label: 'Done of all',
            align: 'right',
            cell: ({ success_rate }) => formatPercent(success_rate),
          },
        ]}
        rows={printers}
        rowKey={({ id }) => id}
        csv={csvAddress('printers', days)}
        empty="No printer yet."
      />
    </>
  )
}

/** What went wrong, by reason, printer and day. */
export function FailureTables({ report, days }: ReportProps<FailureAnalytics>) {
  const count = {
    key: 'count',
    label: 'Failures',
    align: 'right' as const,
    cell: (row: { count: number }) => formatCount(row.count),
  }
  return (
    <>
      <Panel title="In all">
        <Facts
          isGrid
          facts={[
            ['Failures', formatCount(report.total_failures)],
            ['Looked into', formatCount(report.resolved)],
            [
              'Not looked into yet',
              <LinkText key="open" to="/failures">
                {formatCount(report.unresolved)}
              </LinkText>,
            ],
          ]}
        />
      </Panel>
      <DayPanel
        label="Failures by day"
        days={report.daily_trend.map((day) => ({ date: day.date, value: day.count }))}
        format={formatCount}
      />
      <ReportTable
        title="By reason"
        columns={[{ key: 'type', label: 'Reason', isTitle: true, cell: ({ type }) => failureWords[type] }, count]}
        rows={report.by_type}
        rowKey={({ type }) => type}
        csv={csvAddress('failures', days, 'type')}
        empty="Nothing failed in these days."
      />
      <ReportTable
        title="By printer"
        columns={[
          {
            key: 'printer',
            label: 'Printer',
            isTitle: true,
            cell: ({ printer_id, printer_name }) => (
              <LinkText to="/history" search={{ status: 'failed', printer: printer_id }}>
                {printer_name}
              </LinkText>
            ),
          },
          count,
        ]}
        rows={report.by_printer}
        rowKey={({ printer_id }) => printer_id}
        csv={csvAddress('failures', days, 'printer')}
        empty="Nothing failed in these days."
      />
      <ReportTable
        title="By day"
        columns={[dayColumn, count]}
        rows={report.daily_trend.filter((day) => day.count > 0).toReversed()}
        rowKey={({ date }) => date}
        csv={csvAddress('failures', days, 'day')}
        empty="Nothing failed in these days."
      />
    </>
  )
}

/** Where the time of printers went. */
export function IdleTables({ report }: { report: IdleTime }) {
  return (
    <>
      <ReportTable
        title="Where the time went"
        columns={[
          { key: 'cause', label: 'Cause', isTitle: true, cell: ({ description }) => description },
          { key: 'time', label: 'Time', align: 'right', cell: ({ minutes }) => formatMinutes(minutes) },
          {
            key: 'share',
            label: 'Share',
            align: 'right',
            cell: ({ minutes }) => formatPercent(report.wall_minutes > 0 ? (minutes / report.wall_minutes) * 100 : 0),
          },
        ]}
        rows={report.causes.filter(({ minutes }) => minutes > 0)}
        rowKey={({ cause }) => cause}
        empty="Nothing is known of these days."
      />
      <ReportTable
        title="Idle by printer"
        columns={[
          printerColumn,
          { key: 'idle', label: 'Idle', align: 'right', cell: ({ idle_minutes }) => spent(idle_minutes) },
          {
            key: 'plate',
            label: 'Plate not clear',
            align: 'right',
            cell: ({ minutes }) => spent(minutes.plate_not_clear),
          },
          {
            key: 'filament',
            label: 'Other filament needed',
            align: 'right',
            cell: ({ minutes }) => spent(minutes.filament),
          },
          {
            key: 'job',
            label: 'No job fits',
            align: 'right',
            cell: ({ minutes }) => spent(minutes.no_matching_job),
          },
        ]}
        rows={report.by_printer}
        rowKey={({ printer_id }) => printer_id}
        empty="No printer yet."
      />
    </>
  )
}

function spent(minutes: number): string {
  return minutes === 0 ? '–' : formatMinutes(minutes)
}
