import { Code, CopyButton, Group, List, Text, UnstyledButton } from '@mantine/core'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import './slicer-help.css'

/** How a slicer sends files by itself. `mayMakeKeys`: the reader can make the key that it needs. */
export function SlicerHelp({ mayMakeKeys }: { mayMakeKeys: boolean }) {
  const address = `${location.origin}/octoprint`
  return (
    <div className="slicer-help">
      <Text size="sm">
        {t(
          'Slicers that can send to an OctoPrint (PrusaSlicer, OrcaSlicer and those made from them, Cura with its OctoPrint plugin) can send straight in:',
        )}
      </Text>
      <List size="sm" type="ordered" mt={4} spacing={4}>
        <List.Item>{t('Add a physical printer of the kind “OctoPrint”.')}</List.Item>
        <List.Item>
          <Group gap={6} component="span">
            <Rich text="Enter {address} as its address" values={{ address: <Code>{address}</Code> }} />
            <CopyButton value={address}>
              {({ copied, copy }) => (
                <UnstyledButton
                  onClick={copy}
                  aria-label={copied ? t('Copied') : t('Copy {address}', { address })}
                  className="touch-target"
                >
                  <Icon name={copied ? 'check' : 'copy'} size={16} />
                </UnstyledButton>
              )}
            </CopyButton>
          </Group>
        </List.Item>
        <List.Item>
          <Rich
            text="Enter a key with write access as its API key. {how}"
            values={{
              how: mayMakeKeys ? (
                <LinkText to="/settings/api-keys">{t('Make one')}</LinkText>
              ) : (
                t('An owner or admin makes one.')
              ),
            }}
          />
        </List.Item>
      </List>
    </div>
  )
}
