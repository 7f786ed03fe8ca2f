import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { tellProven } from '../../../lib/proof-channel.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'

/** Tells the page that waits that the person has shown who they are, and closes. */
export function ProvenPage() {
  useEffect(() => {
    tellProven()
    window.close()
  }, [])
  return (
    <>
      <PageHeader title="It is you" />
      <Text size="sm">You can close this page and go on in the one before it.</Text>
    </>
  )
}
