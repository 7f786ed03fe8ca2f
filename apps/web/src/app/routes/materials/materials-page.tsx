import { Button, Group, Select, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ForecastTables } from '../../../features/materials/forecast-tables.tsx'
import { MaterialDialog } from '../../../features/materials/material-dialog.tsx'
import {
  kindWords,
  type MaterialKind,
  materialKinds,
  materialStatuses,
  readKind,
} from '../../../features/materials/material-kinds.ts'
import { materialFiltersOf, readMaterialSearch } from '../../../features/materials/material-search.ts'
import { MaterialTable } from '../../../features/materials/material-table.tsx'
import { forecastQuery, materialListQuery } from '../../../features/materials/materials.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'
import '../jobs/filter-bar.css'

const route = getRouteApi('/member/shell/materials')

const states = [
  { value: 'short', label: t('Low or none left') },
  ...Object.entries(materialStatuses).map(([value, { word }]) => ({ value, label: word })),
]

export function MaterialsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const [isAdding, adding] = useDisclosure(false)
  const kind = search.kind ?? 'filament'
  const isForecast = search.tab === 'forecast'
  const { about, add: addLabel } = kindWords[kind]
  const show = (next: Record<string, unknown>) => void navigate({ search: readMaterialSearch(next), replace: true })
  const add = mayWrite && !isForecast && (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {addLabel}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Materials')}
        description={isForecast ? t('Materials needed for queued jobs and orders, against the current stock.') : about}
        actions={add}
      />
      <Tabs
        value={isForecast ? 'forecast' : kind}
        onChange={(chosen) => show(chosen === 'forecast' ? { tab: 'forecast' } : { kind: readKind(chosen) })}
        mb="sm"
        keepMounted={false}
      >
        <Tabs.List aria-label={t('Kinds of material')}>
          {materialKinds.map((each) => (
            <Tabs.Tab key={each} value={each} className="touch-target">
              {kindWords[each].title}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="forecast" className="touch-target">
            {t('Forecast')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="forecast" pt="md">
          <Forecast />
        </Tabs.Panel>
        <Tabs.Panel value={kind} pt="md">
          <Group align="end" gap="sm" mb="md" className="filter-bar">
            <Select
              label={t('State')}
              placeholder={t('All')}
              data={states}
              value={search.status ?? null}
              onChange={(status) => show({ kind, status })}
              clearable
            />
          </Group>
          <MaterialList key={kind} kind={kind} add={add} />
        </Tabs.Panel>
      </Tabs>
      {isAdding && <MaterialDialog kind={kind} onClose={adding.close} />}
    </>
  )
}

function Forecast() {
  const forecast = useQuery(forecastQuery())
  return (
    <QueryView query={forecast} failed={t('The forecast could not be read')}>
      {(found) => <ForecastTables forecast={found} />}
    </QueryView>
  )
}

function MaterialList({ kind, add }: { kind: MaterialKind; add: React.ReactNode }) {
  const search = route.useSearch()
  const list = useInfiniteQuery(materialListQuery(kind, materialFiltersOf(search)))
  const mayWrite = useMay('write')
  const printerNames = new Map(usePrinterOptions().map(({ value, label }) => [value, label]))
  const { many } = kindWords[kind]
  return (
    <QueryView query={list} failed={t('The {many} could not be read', { many })}>
      {(data) => {
        const rows = rowsOf(data) ?? []
        if (rows.length > 0) {
          return (
            <MaterialTable
              kind={kind}
              materials={rows}
              printerNames={printerNames}
              mayWrite={mayWrite}
              {...morePages(list)}
            />
          )
        }
        if (search.status !== undefined) {
          return (
            <EmptyState
              icon="search"
              title={t('No {many} in this state', { many })}
              action={
                <LinkButton to="/materials" search={readMaterialSearch({ kind })} variant="default">
                  {t('Show all')}
                </LinkButton>
              }
            />
          )
        }
        return <EmptyState icon="spool" title={t('No {many} yet', { many })} action={add} />
      }}
    </QueryView>
  )
}
