import { Group, Stack, Tabs, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UnknownInputs } from '../../../features/costs/unknown-inputs.tsx'
import { InventoryTables, RevenueTables } from '../../../features/reports/goods-reports.tsx'
import { HourMap } from '../../../features/reports/hour-map.tsx'
import { MarginTables } from '../../../features/reports/margin-report.tsx'
import { PromiseTables, YieldTables } from '../../../features/reports/quality-reports.tsx'
import {
  type ReportDays,
  type ReportName,
  readReportSearch,
  reportNames,
} from '../../../features/reports/report-search.ts'
import {
  failuresQuery,
  hoursQuery,
  idleQuery,
  inventoryQuery,
  marginQuery,
  printersQuery,
  productionQuery,
  promisesQuery,
  revenueQuery,
  yieldQuery,
} from '../../../features/reports/reports.api.ts'
import { FailureTables, IdleTables, PrinterTables, ProductionTables } from '../../../features/reports/work-reports.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import '../jobs/filter-bar.css'

const route = getRouteApi('/member/shell/reports')

const words: Record<ReportName, string> = {
  production: t('Production'),
  printers: t('Printers'),
  inventory: t('Stock and filament'),
  revenue: t('Revenue'),
  margin: t('Margin'),
  failures: t('Failures'),
  yield: t('Yield'),
  promises: t('Promises'),
  idle: t('Idle time'),
}

const parts: Record<ReportName, (props: { days: ReportDays }) => React.ReactNode> = {
  production: Production,
  printers: Printers,
  inventory: Inventory,
  revenue: Revenue,
  margin: Margin,
  failures: Failures,
  yield: Yield,
  promises: Promises,
  idle: Idle,
}

export function ReportsPage() {
  const { report = 'production', currency, ...days } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (next: Record<string, unknown>) => void navigate({ search: readReportSearch(next), replace: true })
  const Part = parts[report]
  const maySeeCosts = useMay('admin')
  const shown = reportNames.filter((name) => name !== 'margin' || maySeeCosts)
  return (
    <>
      <PageHeader
        title={t('Reports')}
        description={t('By days of the account’s time zone; the last 30 unless others are chosen.')}
      />
      <Tabs value={report} onChange={(chosen) => show({ ...days, report: chosen })}>
        <Tabs.List aria-label={t('Reports')}>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name} className="touch-target">
              {words[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={report} pt="md">
          <Group align="end" gap="sm" mb="md" className="filter-bar">
            <TextInput
              label={t('From')}
              type="date"
              value={days.from ?? ''}
              onChange={(event) => show({ ...days, currency, report, from: event.currentTarget.value })}
            />
            <TextInput
              label={t('To')}
              type="date"
              value={days.to ?? ''}
              onChange={(event) => show({ ...days, currency, report, to: event.currentTarget.value })}
            />
          </Group>
          <Stack gap="md">
            {report === 'margin' && !maySeeCosts ? <NoPermission /> : <Part key={report} days={days} />}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const failed = t('The report could not be read')

function Production({ days }: { days: ReportDays }) {
  return (
    <QueryView query={useQuery(productionQuery(days))} failed={failed}>
      {(report) => <ProductionTables report={report} days={days} />}
    </QueryView>
  )
}

function Printers({ days }: { days: ReportDays }) {
  return (
    <QueryView query={useQuery(printersQuery(days))} failed={failed}>
      {(report) => <PrinterTables report={report} days={days} />}
    </QueryView>
  )
}

function Inventory({ days }: { days: ReportDays }) {
  return (
    <QueryView query={useQuery(inventoryQuery(days))} failed={failed}>
      {(report) => <InventoryTables report={report} days={days} />}
    </QueryView>
  )
}

function Revenue({ days }: { days: ReportDays }) {
  const { currency } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (chosen: string) =>
    void navigate({ search: { ...days, report: 'revenue', currency: chosen }, replace: true })
  return (
    <QueryView query={useQuery(revenueQuery(days, currency))} failed={failed}>
      {(report) => <RevenueTables report={report} days={days} onCurrency={show} />}
    </QueryView>
  )
}

function Margin({ days }: { days: ReportDays }) {
  return (
    <QueryView query={useQuery(marginQuery(days))} failed={failed}>
      {(report) => (
        <MarginTables report={report} days={days} missing={(unknown) => <UnknownInputs unknown={unknown} />} />
      )}
    </QueryView>
  )
}

function Failures({ days }: { days: ReportDays }) {
  return (
    <QueryView query={useQuery(failuresQuery(days))} failed={failed}>
      {(report) => <FailureTables report={report} days={days} />}
    </QueryView>
  )
}

function Idle({ days }: { days: ReportDays }) {
  return (
    <>
      <QueryView query={useQuery(idleQuery(days))} failed={failed}>
        {(report) => <IdleTables report={report} />}
      </QueryView>
      <QueryView query={useQuery(hoursQuery(days))} failed={t('The hours of the day could not be read')}>
        {(report) => <HourMap report={report} />}
      </QueryView>
    </>
  )
}

function Yield({ days }: { days: ReportDays }) {
  return (
    <QueryView query={useQuery(yieldQuery(days))} failed={failed}>
      {(report) => <YieldTables report={report} days={days} />}
    </QueryView>
  )
}

function Promises({ days }: { days: ReportDays }) {
  return (
    <QueryView query={useQuery(promisesQuery(days))} failed={failed}>
      {(report) => <PromiseTables report={report} days={days} />}
    </QueryView>
  )
}
