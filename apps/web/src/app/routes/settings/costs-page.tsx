import { useQuery } from '@tanstack/react-query'
import { costSettingsQuery } from '../../../features/costs/costs.api.ts'
import { CostSettingsForm } from '../../../features/costs/settings/cost-settings-form.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'

export function CostsPage() {
  const maySee = useMay('admin')
  return (
    <>
      <PageHeader
        title={t('Costs')}
        {...(maySee && {
          description: t(
            'Prices that the farm pays. Only owners and admins see them. An empty price is unknown, and is never taken for zero.',
          ),
        })}
      />
      {maySee ? <Costs /> : <NoPermission />}
    </>
  )
}

function Costs() {
  const settings = useQuery(costSettingsQuery())
  const printers = usePrinterOptions()
  return (
    <Panel>
      <QueryView query={settings} failed={t('The prices could not be read')}>
        {(data) => <CostSettingsForm settings={data} printers={printers} />}
      </QueryView>
    </Panel>
  )
}
