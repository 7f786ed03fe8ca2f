import type { PromisesReport, YieldReport } from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatDay, formatDays, formatPercent } from '../../lib/format.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { failureWords } from '../../lib/words/failure-words.ts'
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
const dayCount = (days: number | null) => (days === null ? '–' : formatDays(days))

/** What cost units, in the words of the floor. */
const reasonWords: Record<YieldReport['reasons'][number]['reason'], string> = {
  ...failureWords,
  rejected_on_plate: t('Bad units on good plates'),
  rejected_in_assembly: t('Bad units in assembly'),
}

type Yielded = YieldReport['summary']

const yielded: Column<Yielded>[] = [
  { key: 'done', label: t('Plates done'), align: 'right', cell: ({ plates_done }) => formatCount(plates_done) },
  { key: 'failed', label: t('Failed'), align: 'right', cell: ({ plates_failed }) => formatCount(plates_failed) },
  { key: 'stopped', label: t('Stopped'), align: 'right', cell: ({ plates_stopped }) => formatCount(plates_stopped) },
  { key: 'plates', label: t('Plate yield'), align: 'right', cell: ({ plate_yield }) => share(plate_yield) },
  { key: 'good', label: t('Good units'), align: 'right', cell: ({ units_good }) => formatCount(units_good) },
  { key: 'rejected', label: t('Rejected'), align: 'right', cell: ({ units_rejected }) => formatCount(units_rejected) },
  { key: 'units', label: t('Unit yield'), align: 'right', cell: ({ unit_yield }) => share(unit_yield) },
]

const nothingPrinted = t('No plate ended in these days.')

/** What came of plates, and what cost the most units. */
export function YieldTables({ report, days }: ReportProps<YieldReport>) {
  const { summary, reasons, by_file, by_printer, by_material } = report
  return (
    <>
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('Plates done'), formatCount(summary.plates_done)],
            [t('Plates failed'), formatCount(summary.plates_failed)],
            [t('Plate yield'), share(summary.plate_yield)],
            [t('Good units'), formatCount(summary.units_good)],
            [t('Rejected units'), formatCount(summary.units_rejected)],
            [t('Unit yield'), share(summary.unit_yield)],
          ]}
        />
      </Panel>
      <DayPanel
        label={t('Units lost by reason')}
        each={t('reason')}
        days={reasons.map(({ reason, units_lost }) => ({ date: reasonWords[reason], value: units_lost }))}
        format={formatCount}
      />
      <ReportTable
        title={t('Causes of lost units')}
        columns={[
          { key: 'reason', label: t('Reason'), isTitle: true, cell: ({ reason }) => reasonWords[reason] },
          { key: 'count', label: t('Times'), align: 'right', cell: ({ count }) => formatCount(count) },
          { key: 'lost', label: t('Units lost'), align: 'right', cell: ({ units_lost }) => formatCount(units_lost) },
          { key: 'share', label: t('Share of all lost'), align: 'right', cell: (each) => share(each.share) },
          { key: 'sum', label: t('With those above'), align: 'right', cell: (each) => share(each.cumulative_share) },
        ]}
        rows={reasons}
        rowKey={({ reason }) => reason}
        csv={csvAddress('yield', days, 'reason')}
        empty={t('No unit was lost in these days.')}
      />
      <ReportTable
        title={t('By file')}
        columns={[
          {
            key: 'file',
            label: t('File'),
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
        title={t('By printer')}
        columns={[printerColumn, ...yielded]}
        rows={by_printer}
        rowKey={({ printer_id }) => printer_id}
        csv={csvAddress('yield', days, 'printer')}
        empty={nothingPrinted}
      />
      <ReportTable
        title={t('By material')}
        columns={[
          { key: 'material', label: t('Material'), isTitle: true, cell: ({ material }) => material },
          ...yielded,
        ]}
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
  { key: 'orders', label: t('Promised'), align: 'right', cell: ({ orders }) => formatCount(orders) },
  { key: 'within', label: t('Kept'), align: 'right', cell: ({ within }) => formatCount(within) },
  { key: 'late', label: t('Late'), align: 'right', cell: ({ late }) => formatCount(late) },
  { key: 'kept', label: t('Kept of all'), align: 'right', cell: ({ within_percent }) => share(within_percent) },
  { key: 'average', label: t('Late on average'), align: 'right', cell: (each) => dayCount(each.late_days_average) },
  { key: 'worst', label: t('At worst'), align: 'right', cell: (each) => dayCount(each.late_days_worst) },
]

const nothingPromised = t('No order was promised for these days.')

/** How many orders left by when they were promised first. */
export function PromiseTables({ report, days }: ReportProps<PromisesReport>) {
  const { summary, by_week, by_platform, late_orders } = report
  return (
    <>
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('Orders promised'), formatCount(summary.orders)],
            [t('Kept'), formatCount(summary.within)],
            [t('Kept of all'), share(summary.within_percent)],
            [t('Late'), formatCount(summary.late)],
            [t('Late and not gone yet'), formatCount(summary.late_open)],
            [t('Promised again since'), formatCount(summary.changed)],
          ]}
        />
      </Panel>
      <DayPanel
        label={t('Promises kept by week, in percent')}
        each={t('week')}
        days={by_week.map(({ week, within_percent }) => ({ date: week, value: within_percent ?? 0 }))}
        format={formatPercent}
      />
      <ReportTable
        title={t('By week')}
        columns={[
          { key: 'week', label: t('Week from'), isTitle: true, cell: ({ week }) => formatDay(week) },
          ...promised,
        ]}
        rows={by_week.toReversed()}
        rowKey={({ week }) => week}
        csv={csvAddress('promises', days, 'week')}
        empty={nothingPromised}
      />
      <ReportTable
        title={t('By platform')}
        columns={[
          { key: 'platform', label: t('Platform'), isTitle: true, cell: ({ platform }) => platformWord(platform) },
          ...promised,
        ]}
        rows={by_platform}
        rowKey={({ platform }) => platform}
        csv={csvAddress('promises', days, 'platform')}
        empty={nothingPromised}
      />
      <ReportTable
        title={t('The latest orders')}
        columns={[
          {
            key: 'order',
            label: tc('of a customer', 'Order'),
            isTitle: true,
            cell: ({ order_id, order_number }) => (
              <LinkText to="/orders/$orderId" params={{ orderId: order_id }}>
                {order_number}
              </LinkText>
            ),
          },
          { key: 'platform', label: t('Platform'), cell: ({ platform }) => platformWord(platform) },
          {
            key: 'promised',
            label: t('Promised for'),
            cell: ({ promised_at }) => <Time at={promised_at} as="clock" />,
          },
          {
            key: 'shipped',
            label: tc('departed', 'Left'),
            cell: ({ shipped_at }) => <Time at={shipped_at} as="clock" never={t('not yet')} />,
          },
          { key: 'late', label: t('Late by'), align: 'right', cell: ({ late_days }) => dayCount(late_days) },
        ]}
        rows={late_orders}
        rowKey={({ order_id }) => order_id}
        csv={csvAddress('promises', days, 'order')}
        empty={t('No order left later than it was promised.')}
      />
    </>
  )
}
