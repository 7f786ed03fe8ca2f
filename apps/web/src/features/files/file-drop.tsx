import { Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { Icon } from '../../ui/icon.tsx'
import { uploads } from './uploads.ts'

/** Takes files that are dropped on it or chosen. What is no print file the service refuses, and says why. */
export function FileDrop() {
  return (
    <Dropzone
      onDrop={uploads.add}
      multiple
      maxFiles={0}
      p="md"
      role="button"
      data-adds
      aria-label="Upload print files"
      inputProps={{ 'aria-label': 'Print files to upload' }}
    >
      <Group gap="sm" justify="center">
        <Icon name="upload" />
        <div>
          <Text fw={600}>Drop print files here, or choose them</Text>
          <Text size="sm" c="dimmed">
            G-code, .3mf and .bgcode; several at a time
          </Text>
        </div>
      </Group>
    </Dropzone>
  )
}
