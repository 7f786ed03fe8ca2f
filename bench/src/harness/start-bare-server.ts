import { fileURLToPath } from 'node:url'
import { type Child, startChild } from './child.ts'

/** Starts `bare-servers/NAME.ts`. */
export async function startBareServer(
  scope: AsyncDisposableStack,
  name: string,
  args: string[],
): Promise<{ process: Child; url: string }> {
  const process = startChild(fileURLToPath(new URL(`../bare-servers/${name}.ts`, import.meta.url)), args)
  scope.defer(() => process.stop())
  return { process, url: await process.lineMatching(/^bare server at (http\S+)/, 15_000) }
}
