import { defineConfig } from 'vitest/config'

const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'behaviour', include: ['test/*.test.ts'], ...timeouts } },
      { test: { name: 'package', include: ['test/package/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 } },
      { test: { name: 'matrix', include: ['test/matrix/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
  },
})
