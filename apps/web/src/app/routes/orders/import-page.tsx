import { ImportForm } from '../../../features/orders/intake/import-form.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ImportPage() {
  const mayWrite = useMay('write')
  return (
    <>
      <PageHeader title={t('Import orders')} description={<LinkText to="/orders">{t('Orders')}</LinkText>} />
      {mayWrite ? <ImportForm /> : <NoPermission />}
    </>
  )
}
