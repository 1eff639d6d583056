<?php

declare(strict_types=1);

// `php check_vectors.php`: prints what each vector comes to; ends with 1 when one comes to something else.

use Remitgraph\Webhooks\VerificationException;
use function Remitgraph\Webhooks\verifyWebhook;

require __DIR__ . '/verify_webhook.php';

function outcome(array $vector): string
{
    $body = isset($vector['bodyBase64']) ? base64_decode($vector['bodyBase64'], true) : $vector['body'];
    ['scheme' => $scheme, 'headers' => $headers, 'secrets' => $secrets] = $vector;
    try {
        verifyWebhook($scheme, $headers, $body, $secrets, $vector['toleranceSeconds'], $vector['now']);
        return 'OK';
    } catch (VerificationException $rejected) {
        return $rejected->issue;
    } catch (\InvalidArgumentException) {
        return 'WRONG_CALL';
    }
}

$file = json_decode(file_get_contents(__DIR__ . '/../vectors.json'), true, 512, JSON_THROW_ON_ERROR);
$isGood = true;
foreach ($file['vectors'] as $vector) {
    $found = outcome($vector);
    echo "$found\t{$vector['name']}\n";
    $isGood = $isGood && $found === $vector['result'];
}
exit($isGood ? 0 : 1);
