<?php

declare(strict_types=1);

namespace Remitgraph\Webhooks;

// Checks signatures of remitgraph webhooks. PHP 8.0 or newer, no packages: copy this one file.

/** The webhook must not be trusted. The message has no secret and no signature. */
final class VerificationException extends \RuntimeException
{
    /** @param string $issue MISSING_HEADER, MALFORMED_HEADER, MISMATCH, TOO_OLD or IN_FUTURE */
    public function __construct(public string $issue, string $message)
    {
        parent::__construct($message);
    }
}

const SIGNATURES = '/\At=[0-9]{1,12}(?=.*,v1=)(?:,(?:v1=[0-9a-f]{64}|(?!v1=|t=)[a-z][A-Za-z0-9_]{0,15}=[^,\s]{0,256})){1,16}\z/';
const SECONDS = '/\A[0-9]{1,12}\z/';
const HEX = '/\A[0-9a-f]{64}\z/';
const BASE64 = '/\A[A-Za-z0-9+\/]{43}=\z/';

/**
 * Returns when the webhook was signed with one of the secrets, over exactly this body, and not long ago.
 *
 * @param string $scheme 'request_money' (document 2, X-Webhook-Signature), 'partner' (document 3, X-RAAS-Signature) or
 *     'outcome' (document 1, x-raas-signature, which has no time). You know it by the URL that you gave us.
 * @param array<string, string> $headers such as getallheaders() gives
 * @param string $body file_get_contents('php://input'), before it is parsed
 * @param string|list<string> $secrets one or, while secrets are rotated, several
 * @param int $toleranceSeconds how far the time of the webhook may be from now, before or after it
 * @param int|null $now your clock in Unix seconds; the present by default
 * @throws VerificationException when the webhook must not be trusted
 * @throws \InvalidArgumentException when the call itself is wrong, such as an empty secret
 */
function verifyWebhook(
    string $scheme,
    array $headers,
    string $body,
    string|array $secrets,
    int $toleranceSeconds = 300,
    ?int $now = null
): void {
    $keys = (array) $secrets;
    if ($keys === [] || in_array('', $keys, true)) {
        throw new \InvalidArgumentException('secrets must be one or more texts that are not empty');
    }
    if ($toleranceSeconds < 0) {
        throw new \InvalidArgumentException('toleranceSeconds must be 0 or more');
    }
    [$time, $candidates] = readClaim($scheme, $headers);
    $isSigned = false;
    foreach ($keys as $key) {
        $digest = hash_hmac('sha256', $time === null ? $body : "$time.$body", $key, true);
        $expected = $scheme === 'outcome' ? base64_encode($digest) : bin2hex($digest);
        foreach ($candidates as $candidate) {
            // All pairs, so that the time taken does not reveal the good one.
            $isSigned = hash_equals($expected, $candidate) || $isSigned;
        }
    }
    // The signature before the time: an unsigned time says nothing.
    if (!$isSigned) {
        throw new VerificationException('MISMATCH', 'The signature is of another body, secret or time');
    }
    if ($time !== null) {
        requireRecent(($now ?? time()) - (int) $time, $toleranceSeconds);
    }
}

/** @return array{0: string|null, 1: list<string>} Unix seconds as written, and the signatures any of which may be good */
function readClaim(string $scheme, array $headers): array
{
    switch ($scheme) {
        case 'request_money':
            $elements = explode(',', requireHeader($headers, 'X-Webhook-Signature', SIGNATURES));
            // An element of another name is of a later version, and says nothing here.
            $signatures = array_filter($elements, fn (string $one): bool => str_starts_with($one, 'v1='));
            return [substr($elements[0], 2), array_values(array_map(fn (string $one): string => substr($one, 3), $signatures))];
        case 'partner':
            $signature = requireHeader($headers, 'X-RAAS-Signature', HEX);
            return [requireHeader($headers, 'X-RAAS-Timestamp', SECONDS), [$signature]];
        case 'outcome':
            return [null, [requireHeader($headers, 'x-raas-signature', BASE64)]];
        default:
            throw new \InvalidArgumentException('scheme must be request_money, partner or outcome');
    }
}

function requireHeader(array $headers, string $name, string $pattern): string
{
    $values = [];
    foreach ($headers as $key => $value) {
        if (strcasecmp((string) $key, $name) === 0) {
            $values[] = $value;
        }
    }
    if ($values === [] || $values[0] === '') {
        throw new VerificationException('MISSING_HEADER', "The header $name is missing");
    }
    if (count($values) > 1 || preg_match($pattern, $values[0]) !== 1) {
        throw new VerificationException('MALFORMED_HEADER', "The header $name is malformed");
    }
    return $values[0];
}

function requireRecent(int $age, int $tolerance): void
{
    if ($age > $tolerance) {
        throw new VerificationException('TOO_OLD', "Signed more than $tolerance s ago");
    }
    if ($age < -$tolerance) {
        throw new VerificationException('IN_FUTURE', "Signed more than $tolerance s in the future");
    }
}
