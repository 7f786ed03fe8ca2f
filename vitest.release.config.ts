import { defineConfig } from 'vitest/config'

/** What `npm run release-check` runs: a whole release, built once, and each way to install it. It takes minutes, and so is no part of `npm test`. */
export default defineConfig({
  test: { include: ['e2e/release/*.release.test.ts'], testTimeout: 240_000, hookTimeout: 600_000 },
})
