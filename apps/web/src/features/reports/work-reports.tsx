import { Text } from '@mantine/core'
import type {
  FailureAnalytics,
  IdleTime,
  PrintersReport,
  ProductionReport,
} from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatMinutes, formatPercent } from '../../lib/format.ts'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { failureWords } from '../../lib/words/failure-words.ts'
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
  {
    key: 'completed',
    label: t('Jobs done'),
    align: 'right',
    cell: ({ jobs_completed }) => formatCount(jobs_completed),
  },
  { key: 'failed', label: t('Failed'), align: 'right', cell: ({ jobs_failed }) => formatCount(jobs_failed) },
  { key: 'units', label: t('Units'), align: 'right', cell: ({ units_produced }) => formatCount(units_produced) },
  { key: 'rejected', label: t('Rejected'), align: 'right', cell: ({ units_rejected }) => formatCount(units_rejected) },
  {
    key: 'time',
    label: t('Print time'),
    align: 'right',
    cell: ({ total_print_time_minutes }) => formatMinutes(total_print_time_minutes),
  },
]

/** What was printed, by day, SKU and printer. */
export function ProductionTables({ report, days }: ReportProps<ProductionReport>) {
  const { summary, daily, by_sku, by_printer } = report
  return (
    <>
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('Jobs done'), formatCount(summary.jobs_completed)],
            [t('Jobs failed'), formatCount(summary.jobs_failed)],
            [t('Done of all that ended'), doneOfAll(summary.jobs_completed, summary.jobs_failed)],
            [t('Units'), formatCount(summary.units_produced)],
            [t('Rejected'), formatCount(summary.units_rejected)],
            // Of the days below: the hours of the summary are rounded to tenths.
            [t('Print time'), formatMinutes(daily.reduce((sum, day) => sum + day.total_print_time_minutes, 0))],
          ]}
        />
      </Panel>
      <DayPanel
        label={t('Units by day')}
        days={daily.map(({ date, units_produced }) => ({ date, value: units_produced }))}
        format={formatCount}
      />
      <ReportTable
        title={t('By SKU')}
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
        empty={t('No SKU was printed in these days.')}
      />
      <ReportTable
        title={t('By printer')}
        columns={[printerColumn, ...produced]}
        rows={by_printer}
        rowKey={({ printer_id }) => printer_id}
        csv={csvAddress('production', days, 'printer')}
        empty={t('No printer ended a print in these days.')}
      />
      <ReportTable
        title={t('By day')}
        columns={[dayColumn, ...produced]}
        rows={daily.filter((day) => day.jobs_completed + day.jobs_failed > 0).toReversed()}
        rowKey={({ date }) => date}
        csv={csvAddress('production', days, 'day')}
        empty={t('No job ended in these days.')}
      />
    </>
  )
}

const busyWords = (percent: number | null) => (percent === null ? t('not on record') : formatPercent(percent))

/** How busy printers were, and how well they did. */
export function PrinterTables({ report, days }: ReportProps<PrintersReport>) {
  const { summary, printers } = report
  return (
    <>
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('Printers'), formatCount(summary.total_printers)],
            [t('Busy'), busyWords(summary.busy_percent)],
            [t('Done of all that ended'), doneOfAll(sumOf(printers, 'completed'), sumOf(printers, 'failed'))],
            [t('Jobs'), formatCount(summary.total_jobs)],
            [t('Print time'), formatMinutes(summary.total_print_minutes)],
          ]}
        />
        <Text size="sm" c="dimmed" mt="xs">
          {t('Busy is the share of their time on record that printers printed, as on the overview.')}
        </Text>
      </Panel>
      <ReportTable
        title={t('By printer')}
        columns={[
          {
            key: 'printer',
            label: t('Printer'),
            isTitle: true,
            cell: ({ id, name }) => (
              <LinkText to="/printers/$printerId" params={{ printerId: id }}>
                {name}
              </LinkText>
            ),
          },
          { key: 'model', label: t('Model'), cell: ({ model }) => model || '–' },
          { key: 'busy', label: t('Busy'), align: 'right', cell: (each) => busyWords(each.busy_percent) },
          {
            key: 'time',
            label: t('Print time'),
            align: 'right',
            cell: (each) => formatMinutes(each.total_print_minutes),
          },
          { key: 'done', label: t('Jobs done'), align: 'right', cell: ({ completed }) => formatCount(completed) },
          { key: 'failed', label: t('Failed'), align: 'right', cell: ({ failed }) => formatCount(failed) },
          {
            key: 'rate',
            label: t('Done of all'),
            align: 'right',
            cell: ({ completed, failed }) => doneOfAll(completed, failed),
          },
        ]}
        rows={printers}
        rowKey={({ id }) => id}
        csv={csvAddress('printers', days)}
        empty={t('No printer yet.')}
      />
    </>
  )
}

/** What went wrong, by reason, printer and day. */
export function FailureTables({ report, days }: ReportProps<FailureAnalytics>) {
  const count = {
    key: 'count',
    label: t('Failures'),
    align: 'right' as const,
    cell: (row: { count: number }) => formatCount(row.count),
  }
  return (
    <>
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('Failures'), formatCount(report.total_failures)],
            [t('Looked into'), formatCount(report.resolved)],
            [
              t('Not looked into yet'),
              <LinkText key="open" to="/failures">
                {formatCount(report.unresolved)}
              </LinkText>,
            ],
          ]}
        />
      </Panel>
      <DayPanel
        label={t('Failures by day')}
        days={report.daily_trend.map((day) => ({ date: day.date, value: day.count }))}
        format={formatCount}
      />
      <ReportTable
        title={t('By reason')}
        columns={[{ key: 'type', label: t('Reason'), isTitle: true, cell: ({ type }) => failureWords[type] }, count]}
        rows={report.by_type}
        rowKey={({ type }) => type}
        csv={csvAddress('failures', days, 'type')}
        empty={t('Nothing failed in these days.')}
      />
      <ReportTable
        title={t('By printer')}
        columns={[
          {
            key: 'printer',
            label: t('Printer'),
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
        empty={t('Nothing failed in these days.')}
      />
      <ReportTable
        title={t('By day')}
        columns={[dayColumn, count]}
        rows={report.daily_trend.filter((day) => day.count > 0).toReversed()}
        rowKey={({ date }) => date}
        csv={csvAddress('failures', days, 'day')}
        empty={t('Nothing failed in these days.')}
      />
    </>
  )
}

/** Where the time of printers went. */
export function IdleTables({ report }: { report: IdleTime }) {
  return (
    <>
      <ReportTable
        title={t('Time by cause')}
        columns={[
          { key: 'cause', label: t('Cause'), isTitle: true, cell: ({ description }) => serviceSentence(description) },
          { key: 'time', label: t('Time'), align: 'right', cell: ({ minutes }) => formatMinutes(minutes) },
          {
            key: 'share',
            label: t('Share'),
            align: 'right',
            cell: ({ minutes }) => formatPercent(report.wall_minutes > 0 ? (minutes / report.wall_minutes) * 100 : 0),
          },
        ]}
        rows={report.causes.filter(({ minutes }) => minutes > 0)}
        rowKey={({ cause }) => cause}
        empty={t('No data for these days.')}
      />
      <ReportTable
        title={t('Idle by printer')}
        columns={[
          printerColumn,
          { key: 'idle', label: t('Idle'), align: 'right', cell: ({ idle_minutes }) => spent(idle_minutes) },
          {
            key: 'plate',
            label: t('Plate not clear'),
            align: 'right',
            cell: ({ minutes }) => spent(minutes.plate_not_clear),
          },
          {
            key: 'filament',
            label: t('Other filament needed'),
            align: 'right',
            cell: ({ minutes }) => spent(minutes.filament),
          },
          {
            key: 'job',
            label: t('No job fits'),
            align: 'right',
            cell: ({ minutes }) => spent(minutes.no_matching_job),
          },
        ]}
        rows={report.by_printer}
        rowKey={({ printer_id }) => printer_id}
        empty={t('No printer yet.')}
      />
    </>
  )
}

/** Where no job ended nothing is known of how well prints go. */
function doneOfAll(done: number, failed: number): string {
  return done + failed === 0 ? '–' : formatPercent((done / (done + failed)) * 100)
}

function sumOf(printers: PrintersReport['printers'], field: 'completed' | 'failed'): number {
  return printers.reduce((sum, printer) => sum + printer[field], 0)
}

function spent(minutes: number): string {
  return minutes === 0 ? '–' : formatMinutes(minutes)
}
