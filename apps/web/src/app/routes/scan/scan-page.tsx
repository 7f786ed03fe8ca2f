import { Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CameraScan } from '../../../features/scan/camera-scan.tsx'
import { ScanField } from '../../../features/scan/scan-field.tsx'
import { scannedId } from '../../../features/scan/scanned-id.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ScanPage() {
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/s/$id', params: { id } })
  return (
    <Stack maw="34rem" gap="md">
      <PageHeader title={t('Scan')} description={t('The label of a printer opens what is to be done there.')} />
      <ScanField onId={open} />
      <CameraScan
        onCode={(text) => {
          const id = scannedId(text)
          // The camera sees other codes, too: they are passed over in silence until a label comes into the picture.
          if (id !== undefined) open(id)
        }}
      />
      <Text size="sm" c="dimmed">
        <Rich
          text="No labels yet? <link>Print some</link>"
          values={{
            link: (words) => (
              <LinkText to="/labels" underline="always">
                {words}
              </LinkText>
            ),
          }}
        />
        .
      </Text>
    </Stack>
  )
}
