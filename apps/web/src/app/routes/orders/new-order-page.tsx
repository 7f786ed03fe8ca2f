import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { NewOrderForm } from '../../../features/orders/intake/new-order-form.tsx'
import { orderSettingsQuery } from '../../../features/settings/settings.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function NewOrderPage() {
  const navigate = useNavigate()
  const mayWrite = useMay('write')
  const settings = useQuery(orderSettingsQuery())
  return (
    <>
      <PageHeader title={t('New order')} description={<LinkText to="/orders">{t('Orders')}</LinkText>} />
      {mayWrite ? (
        <QueryView query={settings} failed={t('The currency of the account could not be read')}>
          {({ currency }) => (
            <NewOrderForm
              currency={currency}
              onMade={({ id }) => void navigate({ to: '/orders/$orderId', params: { orderId: id } })}
            />
          )}
        </QueryView>
      ) : (
        <NoPermission />
      )}
    </>
  )
}
