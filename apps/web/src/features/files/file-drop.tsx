import { Button, Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { t } from '../../lib/i18n/t.ts'
import '@mantine/dropzone/styles.layer.css'
import { Icon } from '../../ui/icon.tsx'
import { uploads } from './uploads.ts'

/** Takes files that are dropped on it or chosen into a folder of the library. What is no print file the service refuses, and says why. */
export function FileDrop({ folder }: { folder: string }) {
  return (
    // A click anywhere chooses files, that on the button as well; keys go to the button.
    <Dropzone
      onDrop={(files) => uploads.add(files, folder)}
      multiple
      maxFiles={0}
      p="md"
      activateOnKeyboard={false}
      enablePointerEvents
      inputProps={{ 'aria-label': t('Print files to upload') }}
    >
      <Group gap="md" justify="center">
        <Button variant="default" leftSection={<Icon name="upload" size={18} />} data-adds>
          {t('Upload print files')}
        </Button>
        <div>
          <Text fw={600}>{t('Drop print files here, or choose them')}</Text>
          <Text size="sm" c="dimmed">
            {t('G-code, .3mf and .bgcode; several at a time')}
          </Text>
        </div>
      </Group>
    </Dropzone>
  )
}
