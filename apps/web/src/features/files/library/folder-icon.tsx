import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'

/** The sign of a folder: the library alone has it, and what all pages need is kept small. */
export function FolderIcon({ size }: { size: number }) {
  return <IconFolder size={size} stroke={1.8} aria-hidden focusable={false} />
}
