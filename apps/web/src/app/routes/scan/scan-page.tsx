import { Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CameraScan } from '../../../features/scan/camera-scan.tsx'
import { ScanField } from '../../../features/scan/scan-field.tsx'
import { scannedId } from '../../../features/scan/scanned-id.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ScanPage() {
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/s/$id', params: { id } })
  return (
    <Stack maw="34rem" gap="md">
      <PageHeader title="Scan" description="The label of a printer opens what is to be done there." />
      <ScanField onId={open} />
      <CameraScan
        onCode={(text) => {
          const id = scannedId(text)
          // The camera sees other codes, too: they are passed over in silence until a label comes into the picture.
          if (id !== undefined) open(id)
        }}
      />
      <Text size="sm" c="dimmed">
        No labels yet?{' '}
        <LinkText to="/labels" underline="always">
          Print some
        </LinkText>
        .
      </Text>
    </Stack>
  )
}
