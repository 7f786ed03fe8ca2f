import { ImportForm } from '../../../features/orders/intake/import-form.tsx'
import { useMay } from '../../../lib/session.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ImportPage() {
  const mayWrite = useMay('write')
  return (
    <>
      <PageHeader title="Import orders" description={<LinkText to="/orders">Orders</LinkText>} />
      {mayWrite ? <ImportForm /> : <NoPermission />}
    </>
  )
}
