import { useQuery } from '@tanstack/react-query'
import { OnShiftBar } from '../../../features/settings/shifts/on-shift-bar.tsx'
import { ShiftTable } from '../../../features/settings/shifts/shift-table.tsx'
import { shiftsQuery } from '../../../features/settings/shifts/shifts.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function ShiftsPage() {
  const shifts = useQuery(shiftsQuery())
  return (
    <>
      <PageHeader
        title={t('Shifts')}
        description={t('Rules of notifications can tell those on shift. Others sleep through the night.')}
      />
      <OnShiftBar />
      <Panel title={t('Each week')}>
        <QueryView query={shifts} failed={t('The shifts could not be read')}>
          {({ members }) => <ShiftTable members={members} />}
        </QueryView>
      </Panel>
    </>
  )
}
