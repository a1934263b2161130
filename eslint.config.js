import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import boundaries from './eslint.boundaries.js';

export default defineConfig(
  { ignores: ['dist/', 'node_modules/', 'coverage/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Typed-array reads in bounds-checked loops: `!` states the bound, a branch would hide it.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-console': 'error',
    },
  },
  { files: ['src/**/*.ts'], plugins: { boundaries }, rules: { 'boundaries/imports': 'error' } },
  {
    // No test depends on the speed of a machine: what hangs is stopped by the one limit of vitest.config.ts.
    files: ['test/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Property[key.name=/^(?:timeout|testTimeout|hookTimeout)$/]',
          message: 'No test has a time limit of its own.',
        },
        {
          selector:
            'CallExpression[callee.name=/^(?:it|test|beforeAll|beforeEach|afterAll|afterEach)$/] > Literal[raw=/^[0-9]/]',
          message: 'No test has a time limit of its own.',
        },
        {
          selector: 'CallExpression[callee.callee.object.name=/^(?:it|test)$/] > Literal[raw=/^[0-9]/]',
          message: 'No test has a time limit of its own.',
        },
        {
          selector: 'MemberExpression[object.name="Date"][property.name="now"]',
          message: 'No test asserts anything on time.',
        },
        {
          selector: 'MemberExpression[property.name=/^(?:hrtime|setConfig)$/]',
          message: 'No test asserts anything on time.',
        },
      ],
      'no-restricted-globals': ['error', { name: 'performance', message: 'No test asserts anything on time.' }],
      'no-restricted-imports': ['error', 'node:perf_hooks', 'perf_hooks'],
    },
  },
  { files: ['**/*.js'], languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } } },
  { files: ['bin/*.js'], languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly' } } },
);
