import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import { announceProof } from '../../../lib/proof-channel.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'

/** Tells the page that waits that the person has shown who they are, and closes. */
export function ProvenPage() {
  useEffect(() => {
    announceProof()
    window.close()
  }, [])
  return (
    <>
      <PageHeader title={t('Your identity is confirmed')} />
      <Text size="sm">{t('You can close this page and go on in the one before it.')}</Text>
    </>
  )
}
