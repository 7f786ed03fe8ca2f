import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { NewOrderForm } from '../../../features/orders/intake/new-order-form.tsx'
import { orderSettingsQuery } from '../../../features/settings/settings.api.ts'
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
      <PageHeader title="New order" description={<LinkText to="/orders">Orders</LinkText>} />
      {mayWrite ? (
        <QueryView query={settings} failed="The currency of the account could not be read">
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
